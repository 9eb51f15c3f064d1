interface Attribute {
  readonly name: string
  /** As DynamoDB writes it: text or number. */
  readonly type: 'S' | 'N'
}

interface IndexShape {
  readonly name: string
  readonly partitionKey: Attribute
  readonly sortKey: Attribute
}

/** The sparse indexes. They hold only keys: items found through them are read again from the table. */
export const INDEXES = {
  /** An owner's leads, by their position in the list. */
  byOwner: 'by_owner',
  /** Due items, by their instant. */
  byDue: 'by_due',
  /** An owner's leads of one type and status, by their last change. */
  byChange: 'by_change',
} as const

interface TableShape {
  readonly partitionKey: Attribute
  readonly sortKey: Attribute
  readonly indexes: readonly IndexShape[]
  readonly streamView: 'NEW_AND_OLD_IMAGES'
}

/** The shape of the one table, for the stack, and for tests that cannot wait until a stack is built. */
export const TABLE: TableShape = {
  partitionKey: { name: 'pk', type: 'S' },
  sortKey: { name: 'sk', type: 'S' },
  indexes: [
    { name: INDEXES.byOwner, partitionKey: { name: 'owner_block', type: 'S' }, sortKey: { name: 'position', type: 'N' } },
    { name: INDEXES.byDue, partitionKey: { name: 'due_key', type: 'S' }, sortKey: { name: 'due_at', type: 'S' } },
    { name: INDEXES.byChange, partitionKey: { name: 'change_list', type: 'S' }, sortKey: { name: 'changed_at', type: 'S' } },
  ],
  streamView: 'NEW_AND_OLD_IMAGES',
}
