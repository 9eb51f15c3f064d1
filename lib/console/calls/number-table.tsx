import type { ComponentChildren } from 'preact'

interface NumberRow {
  readonly key: string
  readonly head: ComponentChildren
  readonly cells: readonly ComponentChildren[]
}

interface NumberTableProps {
  readonly heads: readonly string[]
  readonly rows: readonly NumberRow[]
  /** Whether it has so many columns that it needs a smaller type on a phone. */
  readonly isDense?: boolean
}

/** Numbers in columns. Each row begins with what its numbers are about. */
export const NumberTable = ({ heads, rows, isDense = false }: NumberTableProps) => (
  <table class={isDense ? 'dense' : undefined}>
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head} scope="col">
            {head}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ key, head, cells }) => (
        <tr key={key}>
          <th scope="row">{head}</th>
          {cells.map((cell, column) => (
            <td key={heads[column + 1]}>{cell}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)
