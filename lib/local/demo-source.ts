/** Maps lead fields and metadata keys to columns. */
const MAPPING = [
  { to: 'external_id', from: 'Lead ID' },
  { to: 'metadata.first_name', from: 'First Name' },
  { to: 'metadata.last_name', from: 'Last Name' },
  { to: 'phone_number', from: 'Phone' },
  { to: 'email', from: 'Email' },
  { to: 'us_state', from: 'State', transforms: ['trim' as const, 'upper' as const] },
  { to: 'metadata.zip', from: 'Zip' },
  { to: 'lead_source', from: 'Source' },
]

interface Owned {
  readonly userId: number
  readonly leadTypeId: number
}

/** The upload source of the first user. */
export const demoSource = ({ userId, leadTypeId }: Owned) => ({
  owner: userId,
  name: 'demo',
  lead_type: leadTypeId,
  mode: 'upsert' as const,
  lookup_column: 'Lead ID',
  mapping: MAPPING,
})
