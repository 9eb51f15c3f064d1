import * as v from 'valibot'

/** Copies the description of a schema to a narrower one. */
export const meaningOf = (schema: v.GenericSchema) => v.description<never, string>(v.getDescription(schema) ?? '')
