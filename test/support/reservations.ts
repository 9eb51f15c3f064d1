import type { Reservation } from '#shared/platform/ids/reservations.ts'

/** The reservation of a repeatable request: always this id, whether or not an earlier try wrote something. */
export const reservationOf = (id: number): Reservation => ({
  name: `request-${id}`,
  known: () => id,
  take: async () => id,
  giveBack: async () => {},
})
