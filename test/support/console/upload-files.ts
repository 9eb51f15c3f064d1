import type { Page } from 'playwright-core'
import { newConsolePhone } from './people.ts'

export const HEADER = 'Lead ID,First Name,Phone,Email,State'

export const csvFile = (rows: readonly string[], name = 'leads.csv', header = HEADER) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from([header, ...rows, ''].join('\r\n')),
})

/** Nobody is called in Hawaii, where it is early in the morning. */
export const goodRow = (id: string, first = 'Ann') => `${id},${first},${newConsolePhone()},${id}@example.com,HI`

/** Ten rows, each with a mistake of another kind. */
export const tenMistakes = (id: string): readonly string[] => [
  `${id}-1,Ann,12,,HI`,
  `${id}-2,Ann,call me,,HI`,
  `${id}-3,Ann,${newConsolePhone()},nobody,HI`,
  `${id}-4,Ann,${newConsolePhone()},,ZZ`,
  `,Ann,${newConsolePhone()},,HI`,
  `${id}-6,Ann,,,HI`,
  `${id}-7,Ann,${newConsolePhone()}`,
  `${id}-8,Ann,${newConsolePhone()},,HI,more`,
  `${id}-9,"Ann" Lee,${newConsolePhone()},,HI`,
  `${id}-10,Ann,0,,HI`,
]

export const choose = (page: Page, file: ReturnType<typeof csvFile>) => page.getByLabel('File', { exact: true }).setInputFiles(file)

/** Presses the button that sends the chosen file, and answers the question. */
export const start = async (page: Page) => {
  await page.getByRole('button', { name: 'Send the file' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send the file' }).click()
}

export const send = async (page: Page, file: ReturnType<typeof csvFile>) => {
  await choose(page, file)
  await start(page)
  await page.getByRole('heading', { name: 'Upload', exact: true }).waitFor()
}

/** A fact of the view of an upload. */
export const fact = (page: Page, label: string) =>
  page
    .locator('dl div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')

export const whenDone = async (page: Page) => {
  await fact(page, 'Status').getByText('Done').waitFor()
}
