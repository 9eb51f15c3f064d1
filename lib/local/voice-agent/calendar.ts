import * as v from 'valibot'

const IsoInstant = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
  v.number(),
  v.finite(),
)

/** The body of `POST /calendar/slots`. */
const FindSlots = v.object({ call_id: v.string(), from: IsoInstant, duration_minutes: v.nullish(v.number(), null) })

/** The body of `POST /calendar/book`. */
const BookSlot = v.object({ call_id: v.string(), start_time: IsoInstant, duration_minutes: v.nullish(v.number(), null) })

export const parseFindSlots = (body: string) => v.safeParse(v.pipe(v.string(), v.parseJson(), FindSlots), body)
export const parseBookSlot = (body: string) => v.safeParse(v.pipe(v.string(), v.parseJson(), BookSlot), body)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Start hours in UTC: 10:00 to 15:00 on the US east coast in winter. */
const HOURS = [15, 16, 17, 18, 19, 20]
/** Days with free hours that are offered at a time. */
const DAYS = 3
const DAYS_AHEAD = 365
const MINUTES = 30

const isWorkingDay = (day: number): boolean => ![0, 6].includes(new Date(day).getUTCDay())

/** The next working days after an instant. */
const workingDays = (from: number): number[] => {
  const midnight = Math.floor(from / DAY_MS) * DAY_MS
  return Array.from({ length: DAYS_AHEAD }, (_, days) => midnight + (days + 1) * DAY_MS).filter(isWorkingDay)
}

interface Booking {
  readonly booking_id: string
  readonly start_time: string
  readonly duration_minutes: number
}

/** A representative's calendar, in memory only. It offers full hours of the next working days that have free ones. Each is booked once. */
export class SimulatedCalendar {
  readonly #bookings = new Map<string, Booking>()

  slots({ from, duration_minutes }: v.InferOutput<typeof FindSlots>) {
    const taken = new Set([...this.#bookings.values()].map(({ start_time }) => start_time))
    const free = (day: number) => HOURS.map((hour) => new Date(day + hour * HOUR_MS).toISOString()).filter((start) => !taken.has(start))
    const days = workingDays(from).map(free)
    const starts = days.filter((day) => day.length > 0).slice(0, DAYS)
    return starts.flat().map((start_time) => ({ start_time, duration_minutes: duration_minutes ?? MINUTES }))
  }

  /** The booking with this key. Books now if the key is new. Undefined when another call has the slot. */
  book({ call_id: key, start_time, duration_minutes }: v.InferOutput<typeof BookSlot>): Booking | undefined {
    const known = this.#bookings.get(key)
    if (known) return known
    const start = new Date(start_time).toISOString()
    if ([...this.#bookings.values()].some((booking) => booking.start_time === start)) return undefined
    const booking = { booking_id: `booking-${key}`, start_time: start, duration_minutes: duration_minutes ?? MINUTES }
    this.#bookings.set(key, booking)
    return booking
  }
}
