import * as v from 'valibot'

/** What a schema says that it is, for one that takes less. */
export const meaningOf = (schema: v.GenericSchema) => v.description<never, string>(v.getDescription(schema) ?? '')
