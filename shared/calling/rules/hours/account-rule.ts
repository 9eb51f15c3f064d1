import type { AccountHours } from '../../../accounts/configuration.ts'
import { DAY } from '../../../platform/values/durations.ts'
import { type HolidayChoice, WEEKDAYS } from '../../calling-rules.ts'
import { FEDERAL_HOLIDAYS, type HolidayList, holidaysNamed, OPEN, type Rule } from '../rules.ts'
import { windowFrom } from './window-from.ts'

const WHOLE_DAY = [0, 24 * 60] as const

const listOf = (choice: HolidayChoice): HolidayList | null =>
  choice === 'none' ? null : choice === 'federal' ? FEDERAL_HOLIDAYS : holidaysNamed(choice)

const makeRule = ({ windows, holidays, closed_dates }: AccountHours): Rule => ({
  ...OPEN,
  rule: 'account',
  citation: null,
  week: WEEKDAYS.map((day) => (windows === null ? WHOLE_DAY : windowFrom(windows[day]))),
  holidays: listOf(holidays),
  closedDays: closed_dates.map((date) => Date.parse(date) / DAY),
})

const made = new WeakMap<AccountHours, Rule>()

/** The account's own hours as a rule, which narrows the lawful hours. */
export const accountRule = (account: AccountHours): Rule => {
  const rule = made.get(account) ?? makeRule(account)
  made.set(account, rule)
  return rule
}
