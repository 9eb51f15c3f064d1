/** Every key string of the table. Changing one is a migration: golden tests pin them. */

export * from './keys/consents.ts'
export * from './keys/deliveries.ts'
export * from './keys/due.ts'
export * from './keys/item-types.ts'
export type { Key } from './keys/key.ts'
export * from './keys/leads.ts'
export * from './keys/lists.ts'
export * from './keys/marks.ts'
export * from './keys/phones.ts'
export * from './keys/registries.ts'
export * from './keys/statistics.ts'
export * from './keys/users.ts'
