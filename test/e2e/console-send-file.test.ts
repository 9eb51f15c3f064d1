import { describe, expect, it } from '@jest/globals'
import { keyboardOf } from '#test/support/console/keyboard.ts'
import { newConsolePhone } from '#test/support/console/people.ts'
import { choose, csvFile, fact, goodRow, whenDone } from '#test/support/console/upload-files.ts'
import { consoleWorld } from '#test/support/console/world.ts'

const { service, enter, requested } = consoleWorld()

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
    await keyboardOf(page).press('Shift+Tab', 'Enter')
    await whenDone(page)
    expect(await fact(page, 'Rows').textContent()).toBe('3')
    expect(await leadsWith('q-1')).toBe(1)
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
    await keys.press('Enter', 'Shift+Tab', 'Enter')
    await page.getByRole('button', { name: 'Stop sending' }).waitFor()
    expect(await keys.focused()).toBe('Send the file')
  })
})
