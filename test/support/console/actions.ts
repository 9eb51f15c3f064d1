import { expect } from '@jest/globals'
import { eventually, until } from '../eventually.ts'
import { type Action, backTo, confirmed, heading, scheduled, text, typeInto } from './action-steps.ts'
import { newConsolePhone } from './people.ts'

/** Every button of the console by the view in which it is pressed, in the order in which it is pressed. */
export const ACTIONS: Readonly<Record<string, readonly Action[]>> = {
  'sign-in': [
    {
      button: 'Sign in',
      first: (used) => typeInto(used, 'API key', used.apiKey),
      effect: ({ page }) => page.getByRole('navigation', { name: 'Views' }).waitFor(),
    },
  ],
  leads: [
    {
      button: 'Look up',
      first: (used) => typeInto(used, 'Value', '(202) 555-9999'),
      effect: ({ page }) => text(page, 'No lead was found.'),
    },
    { button: 'Show all leads', effect: ({ page }) => page.getByRole('table').waitFor() },
    {
      button: 'Skip to the content',
      effect: async ({ page }) => expect(await page.evaluate('document.activeElement.id')).toBe('content'),
    },
    { button: 'Sign out', effect: ({ page }) => text(page, 'You are signed out.') },
  ],
  'new-lead': [
    {
      button: 'Discard the entries',
      first: (used) => typeInto(used, 'Phone number', '12'),
      effect: ({ page }) => text(page, 'Your entries are discarded.'),
    },
    {
      button: 'Create the lead',
      first: async (used) => {
        await typeInto(used, 'Phone number', newConsolePhone())
        await typeInto(used, 'Time zone', 'Pacific/Honolulu')
      },
      effect: ({ page }) => text(page, /Lead \d+ is created\./),
    },
    {
      button: 'Dismiss the message',
      effect: ({ page }) => page.getByText(/Lead \d+ is created\./).waitFor({ state: 'detached' }),
    },
  ],
  'edit-lead': [
    {
      button: 'Discard the entries',
      first: (used) => typeInto(used, 'Last name', 'Sato'),
      effect: ({ page }) => text(page, 'Your entries are discarded.'),
    },
    {
      button: 'Dismiss the message',
      effect: ({ page }) => page.getByText('Your entries are discarded.').waitFor({ state: 'detached' }),
    },
    {
      button: 'Save the changes',
      first: (used) => typeInto(used, 'Last name', 'Sato'),
      effect: ({ page }) => text(page, 'The changes are saved.'),
    },
  ],
  lead: [
    { button: 'Next opening', effect: ({ page }) => text(page, 'A call is possible at this time.') },
    { button: 'Now', effect: ({ page }) => text(page, 'This lead is called later.') },
    {
      button: 'Schedule a call at this time',
      first: async ({ page, keys }) => {
        await keys.tabToButton('Next opening')
        await keys.press('Enter')
        await text(page, 'A call is possible at this time.')
      },
      effect: async ({ keys }) => expect(await until(keys.focused, (name) => name.startsWith('Time in '))).toMatch(/^Time in /),
    },
    {
      button: 'Schedule',
      first: ({ keys }) => keys.type('112320261030A'),
      effect: ({ page }) => scheduled(page, 'Mon, Nov 23, 2026, 10:30 AM HST'),
    },
    {
      button: 'Call as soon as possible',
      effect: confirmed('Call as soon as possible', ({ page }) => scheduled(page, 'Fri, Nov 20, 2026, 8:00 AM HST')),
    },
    { button: 'Cancel the calls', effect: confirmed('Cancel the calls', ({ page }) => text(page, 'The calls are cancelled.')) },
    { button: 'Reopen', effect: confirmed('Reopen', ({ page }) => text(page, 'The lead is open again.')) },
    { button: 'Do not contact', effect: confirmed('Do not contact', ({ page }) => text(page, 'The person is not contacted any more.')) },
    { button: 'Cancel the lead', effect: confirmed('Cancel the lead', ({ page }) => text(page, 'The lead is cancelled.')) },
  ],
  webhook: [
    { button: 'Send a test', effect: ({ page }) => text(page, 'The test will be sent.') },
    {
      button: 'Resend',
      // As a person would: after a conflict with an attempt that was just made, it is sent once more.
      effect: ({ page, keys }) =>
        eventually(async () => {
          const isMade = (await page.getByText('The delivery will be sent again.').count()) > 0
          if (!isMade && (await page.getByText('Another attempt was just made.').count()) > 0) await keys.press('Enter')
          return isMade
        }),
    },
    {
      button: 'Try the condition',
      effect: async (used) => {
        await heading(used.page, 'Try a filter condition')
        await backTo(used, /^Subscription/)
        await used.page.getByRole('button', { name: 'Delete' }).waitFor()
      },
    },
    { button: 'Delete', effect: confirmed('Delete', ({ page }) => text(page, 'The subscription is deleted.')) },
  ],
  'arrived-delivery': [{ button: 'Resend', effect: confirmed('Resend', ({ page }) => text(page, 'The delivery will be sent again.')) }],
  'disabled-webhook': [{ button: 'Enable', effect: confirmed('Enable', ({ page }) => text(page, 'The subscription is enabled')) }],
  'new-webhook': [
    {
      button: 'Try the condition',
      effect: async (used) => {
        await heading(used.page, 'Try a filter condition')
        await backTo(used, 'New subscription')
      },
    },
    {
      button: 'Create the subscription',
      first: async (used) => {
        await typeInto(used, 'URL', 'http://127.0.0.1:9/by-keys')
        await used.keys.tabTo('Call complete')
        await used.keys.press('Space')
      },
      effect: ({ page }) => heading(page, /^Subscription \d+$/),
    },
  ],
  filter: [
    { button: 'Go to column #', effect: async ({ keys }) => expect(await keys.focused()).toBe('Condition') },
    {
      button: 'Try',
      first: (used) => typeInto(used, 'Condition', "us_state == 'CA'"),
      effect: ({ page }) => text(page, 'The condition does not match.'),
    },
    { button: 'Use in a new subscription', effect: ({ page }) => heading(page, 'New subscription') },
  ],
  stops: [
    {
      button: 'Look up',
      first: (used) => typeInto(used, 'Phone number', '(202) 555-0189'),
      effect: ({ page }) => heading(page, 'The number +12025550189'),
    },
    { button: 'Put on the list', effect: confirmed('Put on the list', ({ page }) => text(page, 'is on the list: ')) },
    { button: 'Unpause the calls', effect: confirmed('Unpause the calls', ({ page }) => text(page, 'The calls are unpaused.')) },
    { button: 'Pause all calls', effect: confirmed('Pause all calls', ({ page }) => text(page, 'All calls are paused.')) },
  ],
  users: [
    {
      button: 'Work for this user: Other, #',
      effect: ({ page }) => page.getByRole('complementary', { name: 'Chosen user' }).getByText('Other').waitFor(),
    },
    {
      button: 'Back to your own user',
      effect: ({ page }) => page.getByRole('complementary', { name: 'Chosen user' }).waitFor({ state: 'detached' }),
    },
  ],
  calls: [
    {
      button: 'Show',
      first: async ({ page, keys }) => {
        await keys.tabTo('Period')
        await keys.type('From')
        await page.getByLabel('From', { exact: true }).waitFor()
        await keys.tabTo('From')
        await keys.type('11192026')
      },
      effect: ({ page }) => text(page, 'Thu, Nov 19, 2026 – Fri, Nov 20, 2026 (2 days)'),
    },
  ],
  map: [
    { button: 'Back to the map', effect: async ({ keys }) => expect(await keys.focused()).toBe('TN open, Tennessee') },
    { button: 'tile', effect: ({ page }) => heading(page, /\([A-Z]{2}\)/) },
    {
      button: 'Now',
      first: async ({ page, keys }) => {
        await keys.tabTo('Time to ask about')
        await keys.press('ArrowRight')
        await page.getByRole('button', { name: 'Now', exact: true, disabled: false }).waitFor()
      },
      effect: ({ page }) => eventually(async () => (await page.getByLabel('Time to ask about').inputValue()) === '0'),
    },
  ],
  uploads: [
    {
      button: 'Send the file',
      effect: confirmed('Send the file', ({ page }) => page.getByRole('button', { name: 'Stop sending' }).waitFor()),
    },
    { button: 'Stop sending', effect: ({ page }) => text(page, 'Sending was stopped.') },
    {
      button: 'Check the file',
      first: async ({ page, keys }) => {
        await page.unrouteAll()
        await keys.tabTo('Only check the file')
        await keys.press('Space')
      },
      effect: ({ page }) => text(page, 'This was a check.'),
    },
  ],
  'missing-lead': [{ button: 'Try again', effect: ({ answered }) => answered(/\/api\/leads\/2000000000\/$/) }],
}
