import { checkedTextField } from '../../http/fields/text.ts'
import { FilterError } from '../rules/filter/filter-error.ts'
import { MAX_CHARACTERS, parseFilter } from '../rules/filter/parse.ts'

const problems = (text: string): readonly string[] => {
  try {
    parseFilter(text)
    return []
  } catch (error) {
    if (error instanceof FilterError) return [error.message]
    throw error
  }
}

/** A filter condition. A blank one always fires. Positions are counted after trimming. */
export const filterField = () =>
  checkedTextField({ allowBlank: true, maxLength: MAX_CHARACTERS }, problems, {
    description: "`has('a.b')`, `get('a.b', default)`, `a.b`, `a['b']`, `==`, `!=`, `and`, `or`, parentheses. Blank always fires.",
    examples: ["last_chat['is_contact'] == true and metadata.us_state != 'NY'", "has('external_id')", ''],
  })
