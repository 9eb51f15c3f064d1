import type { Page } from 'playwright-core'

/** The banner of the view of a lead. */
export const verdict = (page: Page) => page.getByRole('region', { name: 'Whether this lead is called' })

/** A check in the view of a lead. */
export const gate = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: new RegExp(`^${name} `) }) })

/** Presses the button of an order. */
export const ask = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click()

/** Confirms the question that is open. */
export const confirm = (page: Page, name: string): Promise<void> => page.getByRole('dialog').getByRole('button', { name }).click()

/** Gives an order, confirms it, and waits until it is carried out. */
export const order = async (page: Page, name: string): Promise<void> => {
  await ask(page, name)
  await confirm(page, name)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}
