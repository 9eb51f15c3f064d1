import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { confirmByKeys, keyboardOf, whenFocused } from '#test/support/console/keyboard.ts'
import { HOSTILE, newConsolePhone } from '#test/support/console/people.ts'
import { choose, csvFile, fact, goodRow, HEADER, send, start, tenMistakes, whenDone } from '#test/support/console/upload-files.ts'
import { consoleWorld } from '#test/support/console/world.ts'

const { service, enter } = consoleWorld()

const leadsWith = async (externalId: string) => (await service().call('GET', `/api/leads/?external_id=${externalId}`)).body['count']

describe('the view of uploads', () => {
  it('the view of uploads shows the ten rejected rows of a file, and their correction passes', async () => {
    const page = await enter('uploads')
    const mistakes = tenMistakes('m')
    await send(page, csvFile([goodRow('m-11'), ...mistakes, goodRow('m-12')]))
    await whenDone(page)
    for (const [label, number] of [
      ['Rows', '12'],
      ['Created', '2'],
      ['Rejected', '10'],
    ] as const)
      expect(await fact(page, label).textContent()).toBe(number)
    const report = page.getByRole('region', { name: 'Rejected rows' })
    await report.getByRole('table').waitFor()
    const lines = await report.getByRole('rowheader').allTextContents()
    expect([...new Set(lines)]).toEqual(['3', '4', '5', '6', '7', '8', '9', '10', '11', '12'])
    await report.getByRole('row', { name: '3 Phone 12 The phone number entered is not valid.' }).waitFor()

    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download the rejected rows as CSV' }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('leads-rejected.csv')
    expect(await readFile(await file.path(), 'utf8')).toContain('3,Phone,12,"The phone number entered is not valid.')

    await page.getByRole('link', { name: 'Send another file' }).click()
    await send(page, csvFile(Array.from({ length: 10 }, (_, at) => goodRow(`m-${at + 1}`))))
    await whenDone(page)
    expect(await fact(page, 'Created').textContent()).toBe('10')
    expect(await fact(page, 'Rejected').textContent()).toBe('0')
    expect(await page.getByRole('region', { name: 'Rejected rows' }).count()).toBe(0)

    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Uploads' }).click()
    await page.getByText('2 files of the last 90 days').waitFor()
  })

  it('the view of uploads shows what the columns of a file fill before anything is sent', async () => {
    const page = await enter('uploads')
    await choose(page, csvFile([goodRow('c-1', 'Bea')], 'leads.csv', 'lead_id,FIRST NAME,Phone,Email,Shoe size'))
    const row = (name: string) => page.getByRole('row', { name })
    // As the file has them, and not as the source names them.
    await row('lead_id c-1 Id in your own system').waitFor()
    await row('FIRST NAME Bea First name').waitFor()
    await row('Shoe size HI Not used').waitFor()
    await page.getByText('which the file does not have: Last Name, State, Zip, Source').waitFor()
    expect(await leadsWith('c-1')).toBe(0)
  })

  it('the view of uploads takes a file that is dropped', async () => {
    const page = await enter('uploads')
    const dataTransfer = await page.evaluateHandle(
      "(() => { const t = new DataTransfer(); t.items.add(new File(['Lead ID,Phone\\ndrop-1,12'], 'dropped.csv')); return t })()",
    )
    await page.getByRole('form', { name: 'Send a file' }).dispatchEvent('drop', { dataTransfer })
    await page.getByRole('row', { name: 'Lead ID drop-1 Id in your own system' }).waitFor()
  })

  it('a file that is read slowly does not replace the file that is chosen after it', async () => {
    const page = await enter('uploads')
    await page.evaluate(`(() => {
      const read = Blob.prototype.arrayBuffer
      let isFirst = true
      Blob.prototype.arrayBuffer = async function () {
        const isSlow = isFirst
        isFirst = false
        if (isSlow) await new Promise((resolve) => { globalThis.goOn = resolve })
        return read.call(this)
      }
    })()`)
    await choose(page, csvFile([goodRow('slow-1')], 'slow.csv'))
    await choose(page, csvFile([goodRow('fast-1')], 'fast.csv'))
    await page.getByRole('row', { name: 'Lead ID fast-1' }).waitFor()
    // The bytes are there when another reading of the same file is done.
    await page.evaluate('goOn()')
    await page.evaluate("new Blob(['x']).arrayBuffer()")
    expect(await page.getByRole('row', { name: 'Lead ID slow-1' }).count()).toBe(0)
    await page.getByRole('row', { name: 'Lead ID fast-1' }).waitFor()
  })

  it('a file is chosen and sent with the keyboard alone', async () => {
    const page = await enter('leads')
    await page.getByRole('heading', { name: 'Leads' }).waitFor()
    await keyboardOf(page).tabTo('Uploads')
    await page.keyboard.press('Enter')
    await page.getByLabel('File', { exact: true }).waitFor()
    await whenFocused(page, 'Uploads')
    // The browser must know that the chooser is intercepted before the key opens it.
    const opened = page.waitForEvent('filechooser')
    await keyboardOf(page).tabTo('File')
    await page.keyboard.press('Enter')
    await (await opened).setFiles(csvFile([goodRow('k-1')]))
    await page.getByRole('row', { name: 'Lead ID k-1 Id in your own system' }).waitFor()
    await keyboardOf(page).tabTo('Send the file')
    await page.keyboard.press('Enter')
    await confirmByKeys(page)
    await page.getByRole('heading', { name: 'Upload', exact: true }).waitFor()
    await whenFocused(page, 'Upload')
    await whenDone(page)
    expect(await leadsWith('k-1')).toBe(1)
  })

  it.each([
    [
      'a workbook',
      { name: 'leads.csv', mimeType: 'text/csv', buffer: Buffer.from('PK\u0003\u0004 and more') },
      'The file is a ZIP archive',
    ],
    ['an image', { name: 'leads.png', mimeType: 'image/png', buffer: Buffer.from('x') }, 'Files ending in .png are not read.'],
    ['an empty file', { name: 'leads.csv', mimeType: 'text/csv', buffer: Buffer.alloc(0) }, 'The file is empty.'],
    ['a file without a header', csvFile([], 'leads.csv', goodRow('h-1')), 'The header, which is the first line, has none of the columns'],
  ])('the view of uploads says what is wrong with %s, and does not send it', async (_, file, message) => {
    const page = await enter('uploads')
    await choose(page, file)
    await page.getByRole('alert').getByText(message).waitFor()
    expect(await page.getByRole('button', { name: 'Send the file' }).isDisabled()).toBe(true)
  })

  it('the view of uploads says that a file has no rows, and does not send it', async () => {
    const page = await enter('uploads')
    await choose(page, csvFile(['', '']))
    await page.getByRole('alert').getByText('The file has no rows.').waitFor()
    await page.getByRole('row', { name: 'Phone' }).waitFor()
    expect(await page.getByRole('button', { name: 'Send the file' }).getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('button', { name: 'Send the file' }).click({ force: true })
    expect(await page.getByRole('dialog').count()).toBe(0)
    await choose(page, csvFile([goodRow('o-1')]))
    await page.getByText('The file has no rows.').waitFor({ state: 'detached' })
  })

  it('the report of a check says that the file has no rows', async () => {
    const running = service()
    const asked = { source: running.uploadSource, filename: 'header.csv', dry_run: true }
    const { body } = await running.call('POST', '/api/ingestion/upload/', asked)
    const page = await enter(`uploads/${body['upload_id']}`)
    await fact(page, 'Status').getByText('Waiting for the file').waitFor()
    await page.getByText('The service has not begun to read the file. It may not have arrived yet.').waitFor()
    expect(await page.getByRole('link', { name: 'Choose the file again' }).getAttribute('href')).toBe('#/uploads')
    expect(await page.getByRole('progressbar').count()).toBe(0)
    await fetch(`${body['signed_url']}`, { method: 'PUT', body: csvFile([]).buffer })
    await page.getByRole('region', { name: 'Status' }).getByText('The file has no rows.').waitFor()
    await page.getByRole('status').getByText('The file has no rows.').waitFor()
  })

  it('the view of uploads shows hostile texts as texts', async () => {
    const page = await enter('uploads')
    const cells = Object.values(HOSTILE).map((text) => `"${text.replaceAll('"', '""')}"`)
    await choose(
      page,
      csvFile(
        cells.map((cell, at) => `x-${at},${cell},${cell},,HI`),
        'leads.csv',
        `${HEADER}`,
      ),
    )
    await page.getByRole('cell', { name: HOSTILE.script }).first().waitFor()
    await start(page)
    await whenDone(page)
    const report = page.getByRole('region', { name: 'Rejected rows' })
    for (const text of [HOSTILE.script, HOSTILE.image]) await report.getByText(text).first().waitFor()
    expect(await page.title()).toContain('Upload')
    expect(await page.locator('script, img').count()).toBe(1)
  })

  it('a file is only checked on demand, and writes no lead', async () => {
    const page = await enter('uploads')
    await choose(page, csvFile([goodRow('d-1'), 'd-2,Ann,12,,HI']))
    await page.getByLabel('Only check the file').check()
    await page.getByRole('button', { name: 'Check the file' }).click()
    await fact(page, 'Status').getByText('Checked', { exact: true }).waitFor()
    await page.getByText('This was a check.').waitFor()
    await page.getByRole('status').getByText('The file is checked. No lead was written. Rejected rows: 1.').waitFor()
    expect(await fact(page, 'Would be created').textContent()).toBe('1')
    await page.getByRole('region', { name: 'Rejected rows' }).getByRole('row', { name: '3 Phone 12' }).waitFor()
    expect(await leadsWith('d-1')).toBe(0)
  })

  it('a check tells when the leads of the file could be called, and which could not and why', async () => {
    const running = service()
    const stopped = newConsolePhone()
    await running.call('POST', '/api/dnc/', { phone_number: stopped })
    const page = await enter('uploads')
    await choose(page, csvFile([goodRow('w-1'), goodRow('w-2'), `w-3,Ann,${stopped},,HI`, 'w-4,Ann,12,,HI']))
    await page.getByLabel('Only check the file').check()
    await page.getByRole('button', { name: 'Check the file' }).click()
    await fact(page, 'Status').getByText('Checked', { exact: true }).waitFor()
    const calls = page.getByRole('region', { name: 'When the leads could be called' })
    await calls.getByText('May be called now: 0').waitFor()
    const cell = (row: RegExp, name: string) => calls.getByRole('row', { name: row }).getByRole('cell', { name })
    await cell(/Nov 20, 2026, 7:00 PM/, '2').waitFor()
    await cell(/Do not contact/, '1').waitFor()
  })

  it('a check that rejects no row shows no rejected rows, and still has its report', async () => {
    const page = await enter('uploads')
    await choose(page, csvFile([goodRow('e-1')]))
    await page.getByLabel('Only check the file').check()
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByRole('link', { name: 'Download the report of all rows as CSV' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Rejected rows' }).count()).toBe(0)
  })

  it('the view of an upload shows a value as the file has it, and only the downloaded report protects spreadsheets', async () => {
    const page = await enter('uploads')
    await send(page, csvFile(['f-1,Ann,=1+1,,HI']))
    const report = page.getByRole('region', { name: 'Rejected rows' })
    await report.getByText('=1+1', { exact: true }).waitFor()
    expect(await report.getByText("'=1+1").count()).toBe(0)
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download the rejected rows as CSV' }).click()
    expect(await readFile(await (await download).path(), 'utf8')).toContain("'=1+1")
  })

  it('the view of uploads asks before the page is closed while it sends, and stops sending on demand', async () => {
    const page = await enter('uploads')
    await page.route(/X-Amz-Signature/, () => {})
    await choose(page, csvFile([goodRow('s-1')]))
    await start(page)
    await page.getByRole('button', { name: 'Stop sending' }).waitFor()
    const question = page.waitForEvent('dialog')
    // It ends only after the answer.
    void page.close({ runBeforeUnload: true }).catch(() => {})
    expect((await question).type()).toBe('beforeunload')
    await (await question).dismiss()
    await page.getByRole('button', { name: 'Stop sending' }).click()
    await page.getByText('Sending was stopped.').waitFor()
    expect(await page.getByRole('button', { name: 'Send the file' }).isEnabled()).toBe(true)
  })

  it('the view of an upload says so when there is no such upload, or the file could not be read', async () => {
    const running = service()
    const page = await enter('uploads/5bfb0a5a-2f5b-4d5e-8a57-0c9f8b7b1a11')
    await page.getByText('There is no such file, or it belongs to another user').waitFor()
    const { body } = await running.call('POST', '/api/ingestion/upload/', { source: running.uploadSource, filename: 'empty.csv' })
    await fetch(`${body['signed_url']}`, { method: 'PUT', body: '' })
    await page.evaluate(`location.hash = '#/uploads/${body['upload_id']}'`)
    await fact(page, 'Status').getByText('Failed').waitFor()
    await page.getByText('The file is empty.').waitFor()
  })
})
