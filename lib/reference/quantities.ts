import { DAY, HOUR, MINUTE, SECOND } from '#shared/platform/values/durations.ts'

/** A whole number, with commas. */
export const count = (number: number): string => number.toLocaleString('en')

const ofUnits =
  (units: readonly (readonly [size: number, name: string])[]) =>
  (amount: number): string => {
    const [size, name] = units.find(([size]) => amount >= size && amount % (size / 4) === 0) ?? units.at(-1) ?? [1, '']
    const number = amount / size
    return `${count(number)} ${name}${number === 1 || !/^[a-z]/.test(name) ? '' : 's'}`
  }

export const bytes = ofUnits([
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
  [1, 'byte'],
])

/** Milliseconds in words. */
export const time = ofUnits([
  [DAY, 'day'],
  [HOUR, 'hour'],
  [MINUTE, 'minute'],
  [SECOND, 'second'],
  [1, 'millisecond'],
])

export const characters = (number: number): string => `${count(number)} characters`
