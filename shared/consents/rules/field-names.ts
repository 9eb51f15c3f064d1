/** The names of the fields of a consent that is sent with a lead. Without the schemas: the console compares columns with them. */
export const CONSENT_FIELD_NAMES = ['type', 'time', 'proof_text', 'proof_url', 'seller', 'source'] as const
