import { isMetadataField } from '../leads/lead-fields.tsx'
import { QuotedText } from '../parts/quoted-text.tsx'
import { texts } from '../texts.ts'
import type { FileColumn, Fit } from './chosen-file.ts'

const { uploads } = texts

const MOST_SHOWN = 100

const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(texts.create.fields))

/** Fields of the form for a lead, some of which are metadata, have a name. Other metadata is the customer's own. */
const fieldInWords = (field: string): string => {
  const [, key] = /^metadata\.(.+)$/s.exec(field) ?? []
  if (key === undefined) return NAMES.get(field) ?? field
  return (isMetadataField(key) && NAMES.get(key)) || uploads.ownField(key)
}

const Row = ({ column: { name, sample, field } }: { readonly column: FileColumn }) => (
  <tr>
    <th scope="row">{name === '' ? <span class="second">{uploads.unnamed}</span> : <QuotedText text={name} />}</th>
    <td>
      <QuotedText text={sample} />
    </td>
    <td>{field === undefined ? <span class="second">{uploads.unused}</span> : <QuotedText text={fieldInWords(field)} />}</td>
  </tr>
)

/** What the service will make of the columns of a file. Columns that it reads come first. */
export const Columns = ({ fit }: { readonly fit: Fit }) => {
  if ('refusal' in fit) {
    return (
      <div class="note failure" role="alert">
        <p>
          <QuotedText text={fit.refusal} most={3000} />
        </p>
      </div>
    )
  }
  const { columns, missing, ignored, isEmpty } = fit
  const sorted = columns.toSorted((a, b) => Number(a.field === undefined) - Number(b.field === undefined))
  const shown = sorted.slice(0, MOST_SHOWN)
  return (
    <>
      {isEmpty && (
        <div class="note failure" role="alert">
          <p>{uploads.noRows}</p>
        </div>
      )}
      <h2>{uploads.columns}</h2>
      <table>
        <caption>{uploads.columnsShown(shown.length, columns.length)}</caption>
        <thead>
          <tr>
            <th scope="col">{uploads.column}</th>
            <th scope="col">{uploads.sample}</th>
            <th scope="col">{uploads.field}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((column, at) => (
            <Row key={`${at} ${column.name}`} column={column} />
          ))}
        </tbody>
      </table>
      {missing.length > 0 && (
        <p>
          {uploads.missing} <QuotedText text={missing.join(', ')} />
        </p>
      )}
      {ignored !== undefined && (
        <p class="note">
          <QuotedText text={ignored} most={3000} />
        </p>
      )}
    </>
  )
}
