import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { confirmByKeys, keyboardOf } from '#test/support/console/keyboard.ts'
import { confirm } from '#test/support/console/lead-page.ts'
import { newConsolePhone } from '#test/support/console/people.ts'
import { choose, csvFile, fact, goodRow, send, start, whenDone } from '#test/support/console/upload-files.ts'
import { consoleWorld, signInWith } from '#test/support/console/world.ts'

const { service, visit, enter, requested } = consoleWorld()

const leadsWith = async (externalId: string) => (await service().call('GET', `/api/leads/?external_id=${externalId}`)).body['count']

describe('the sending of a file', () => {
  it('a file is sent only after a question that names the file, its source and its rows', async () => {
    const page = await enter('uploads')
    await choose(page, csvFile([goodRow('q-1'), '', 'q-2,"Ann"" Lee",12,,HI', goodRow('q-3')], 'people.csv'))
    const button = page.getByRole('button', { name: 'Send the file' })
    await button.click()
    const question = page.getByRole('dialog', { name: 'Send this file?' })
    await question.getByText('Calls to its leads may begin at once.').waitFor()
    expect(await question.getByRole('definition').allTextContents()).toEqual(['people.csv', service().uploadSource, '3'])
    await question.getByRole('button', { name: 'Go back' }).click()
    await question.waitFor({ state: 'detached' })
    expect(requested().filter((address) => address.includes('/ingestion/upload/'))).toEqual([])

    await button.click()
    await confirmByKeys(page)
    await whenDone(page)
    expect(await fact(page, 'Rows').textContent()).toBe('3')
    expect(await leadsWith('q-1')).toBe(1)
  })

  it('a file keeps the name that the user chose in the tab that sends it, and other tabs show the name that the service has', async () => {
    const page = await enter('uploads')
    await choose(page, csvFile([goodRow('u-1')], 'Kundenliste März 顧客.csv'))
    await page.getByRole('button', { name: 'Send the file' }).click()
    const question = page.getByRole('dialog', { name: 'Send this file?' })
    await question.getByText('Kundenliste März 顧客.csv', { exact: true }).waitFor()
    await question.getByText('Kundenliste Marz __.csv', { exact: true }).waitFor()
    await confirmByKeys(page)
    await whenDone(page)
    expect(await fact(page, 'File').textContent()).toBe('Kundenliste März 顧客.csvName in the service: Kundenliste Marz __.csv')
    const { body } = await service().call('GET', '/api/ingestion/uploads/')
    expect(JSON.stringify(body)).toContain('"filename":"Kundenliste Marz __.csv"')
    await page.getByRole('link', { name: 'Send another file' }).click()
    await page.getByRole('link', { name: 'Kundenliste März 顧客.csv', exact: true }).waitFor()
    const other = await enter('uploads')
    await other.getByRole('link', { name: 'Kundenliste Marz __.csv', exact: true }).waitFor()
  })

  it('the question before a large file tells about how many rows it has', async () => {
    const page = await enter('uploads')
    const rows = Array.from({ length: 3000 }, (_, at) => `${10_000 + at},Ann,${newConsolePhone()},,HI`)
    await choose(page, csvFile(rows))
    await page.getByRole('button', { name: 'Send the file' }).click()
    const text = await page.getByRole('dialog').getByText('about ').textContent()
    const estimate = Number(/^about ([\d,]+)$/.exec(`${text}`)?.[1]?.replace(',', ''))
    expect(Math.abs(estimate - rows.length)).toBeLessThan(30)
  })

  it('the button has the focus again when its question is answered', async () => {
    const page = await enter('uploads')
    await page.route(/X-Amz-Signature/, () => {})
    await choose(page, csvFile([goodRow('b-1')]))
    await page.getByRole('row', { name: 'Lead ID b-1' }).waitFor()
    const keys = keyboardOf(page)
    await keys.tabToButton('Send the file')
    await keys.press('Enter')
    await confirmByKeys(page)
    await page.getByRole('button', { name: 'Stop sending' }).waitFor()
    expect(await keys.focused()).toBe('Send the file')
  })
})

describe('a file that was only checked', () => {
  const check = async (page: Page, rows: readonly string[]): Promise<void> => {
    await choose(page, csvFile(rows))
    await page.getByLabel('Only check the file').check()
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByText('This was a check.').waitFor()
  }
  const sendChecked = (page: Page) => page.getByRole('button', { name: 'Send this file' })

  it('a file that was checked is sent to the same source, and is not chosen again, but its rejected rows can be corrected first', async () => {
    const page = await enter('uploads')
    await check(page, [goodRow('c-1'), 'c-2,Ann,12,,HI', 'c-3,Ann,12,,HI'])
    const buttons = page.locator('main').getByRole('button')
    expect(await buttons.allTextContents()).toEqual(['Choose the corrected file', 'Send the file without its 2 rejected rows'])
    expect(await page.locator('button.main').allTextContents()).toEqual(['Choose the corrected file'])
    const checked = page.url()
    await keyboardOf(page).tabToButton('Send the file without its 2 rejected rows')
    await keyboardOf(page).press('Enter')
    const question = page.getByRole('dialog', { name: 'Send this file?' })
    await question.waitFor()
    expect(await question.getByRole('definition').allTextContents()).toEqual(['leads.csv', service().uploadSource, '3'])
    await confirmByKeys(page)
    await whenDone(page)
    expect(page.url()).not.toBe(checked)
    expect(await fact(page, 'Created').textContent()).toBe('1')
    expect(await leadsWith('c-1')).toBe(1)
    // It is sent only once.
    await page.goBack()
    await page.getByText('This was a check.').waitFor()
    expect(await buttons.allTextContents()).toEqual(['Choose the corrected file'])
  })

  it('a file that was checked has to be chosen again after a reload, and after a sign-out', async () => {
    const page = await enter('uploads')
    await check(page, [goodRow('r-1')])
    const checked = page.url()
    await sendChecked(page).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Send another file' }).waitFor()
    expect(await sendChecked(page).count()).toBe(0)

    await page.getByRole('link', { name: 'Send another file' }).click()
    await check(page, [goodRow('r-2')])
    await sendChecked(page).waitFor()
    const again = page.url()
    expect(again).not.toBe(checked)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signInWith(page, service().apiKey)
    await page.getByRole('navigation', { name: 'Views' }).waitFor()
    await page.goto(again)
    await page.getByRole('link', { name: 'Send another file' }).waitFor()
    expect(await sendChecked(page).count()).toBe(0)
  })

  it('a file of which no row would create or change a lead is not offered to be sent', async () => {
    const page = await enter('uploads')
    await check(page, ['x-1,Ann,12,,HI'])
    expect(await page.getByRole('button', { name: /^Send / }).count()).toBe(0)
    await page.getByRole('button', { name: 'Choose the corrected file' }).click()
    await page.getByRole('button', { name: 'Check the file' }).waitFor()
    expect(await page.getByLabel('Only check the file').isChecked()).toBe(true)
    await page.getByRole('link', { name: 'Leads', exact: true }).click()
    await page.getByRole('link', { name: 'Uploads' }).click()
    await page.getByRole('button', { name: 'Send the file' }).waitFor()
    expect(await page.getByLabel('Only check the file').isChecked()).toBe(false)
  })

  it('a file that has changed since its check is not sent', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'console-'))
    const path = join(folder, 'changing.csv')
    await writeFile(path, csvFile([goodRow('g-1')]).buffer)
    const page = await enter('uploads')
    await page.getByLabel('File', { exact: true }).setInputFiles(path)
    await page.getByLabel('Only check the file').check()
    await page.getByRole('button', { name: 'Check the file' }).click()
    await sendChecked(page).waitFor()
    await writeFile(path, csvFile([goodRow('g-1'), goodRow('g-2')]).buffer)
    await sendChecked(page).click()
    await confirm(page, 'Send this file')
    await page.getByRole('alert').getByText('This browser could not read the file.').waitFor()
    expect(requested().filter((address) => address.endsWith('/ingestion/upload/'))).toHaveLength(1)
    await rm(folder, { recursive: true })
  })
})

describe('a file that cannot be sent at once', () => {
  const SIGNED = /X-Amz-Signature/
  const WAITING = 'The console waits for the network'

  const begin = async (page: Page, id: string): Promise<void> => {
    await choose(page, csvFile([goodRow(id)]))
    await start(page)
  }

  it('a file is sent again to the same address after a loss of the network', async () => {
    const page = await enter('uploads')
    const addresses: string[] = []
    await page.route(SIGNED, (route) => (addresses.push(route.request().url()) < 3 ? route.abort() : route.fallback()))
    await begin(page, 'n-1')
    await page.getByText(WAITING).waitFor()
    await whenDone(page)
    expect(new Set(addresses).size).toBe(1)
    expect(await leadsWith('n-1')).toBe(1)
  })

  it('a file is sent again after an error of the bucket', async () => {
    const page = await enter('uploads')
    let errors = 0
    const answer = { status: 503, headers: { 'Access-Control-Allow-Origin': '*' } }
    await page.route(SIGNED, (route) => (errors++ < 1 ? route.fulfill(answer) : route.fallback()))
    await begin(page, 'n-2')
    await whenDone(page)
    expect(await leadsWith('n-2')).toBe(1)
  })

  it('a file that the bucket refuses is not sent again by itself, and stays chosen', async () => {
    const page = await enter('uploads')
    let refused = 0
    await page.route(SIGNED, (route) => {
      refused++
      return route.fulfill({ status: 403, headers: { 'Access-Control-Allow-Origin': '*' } })
    })
    await begin(page, 'n-3')
    await page.getByRole('alert').getByText('The bucket answered 403.').waitFor()
    expect(refused).toBe(1)
    await page.unroute(SIGNED)
    await start(page)
    await whenDone(page)
    expect(await leadsWith('n-3')).toBe(1)
  })

  it('a file whose address the open page may not use is not sent, and the page says to reload it', async () => {
    const page = await enter('uploads')
    // The bucket has another address than when the page was loaded.
    await page.route('**/ingestion/upload/', async (route) => {
      const response = await route.fetch()
      const json = await response.json()
      await route.fulfill({ response, json: { ...json, signed_url: `${json.signed_url}`.replace(/:\d+\//, ':1/') } })
    })
    await begin(page, 'n-6')
    await page.getByRole('alert').getByText('Reload the page. Then choose the file again').waitFor()
    expect(await page.getByText(WAITING).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Stop sending' }).count()).toBe(0)
    await page.unrouteAll()
    await page.reload()
    await send(page, csvFile([goodRow('n-6')]))
    await whenDone(page)
    expect(await leadsWith('n-6')).toBe(1)
  })

  it('the sending is stopped while it waits for the network', async () => {
    const page = await enter('uploads')
    await page.route(SIGNED, (route) => route.abort())
    await begin(page, 'n-4')
    await page.getByText(WAITING).waitFor()
    await page.getByRole('button', { name: 'Stop sending' }).click()
    await page.getByRole('alert').getByText('Sending was stopped.').waitFor()
    expect(await page.getByText(WAITING).count()).toBe(0)
  })

  it('a file is not sent any more when its address has expired', async () => {
    const page = await visit('uploads')
    await page.clock.install()
    await page.reload()
    await signInWith(page, service().apiKey)
    await page.getByLabel('File', { exact: true }).waitFor()
    await page.route(SIGNED, (route) => route.abort())
    await begin(page, 'n-5')
    await page.getByText(WAITING).waitFor()
    await page.clock.fastForward('01:01:00')
    await page.getByRole('alert').getByText('It is not known whether the whole file has arrived.').waitFor()
  })
})
