import type { Reservation } from '#shared/platform/ids/reservations.ts'

/** As a request that can be repeated has it: this id, whether or not something was written with it. */
export const reservationOf = (id: number): Reservation => ({
  name: `request-${id}`,
  known: () => id,
  take: async () => id,
  giveBack: async () => {},
})
