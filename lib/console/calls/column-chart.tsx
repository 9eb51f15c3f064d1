import { texts } from '../texts.ts'
import type { ColumnPart } from './outcomes.ts'

const { callsView: words } = texts

const PARTS: readonly ColumnPart[] = ['transfer', 'over', 'voicemail', 'unreached', 'unknown', 'refused', 'all']

export interface Column {
  readonly label: string
  readonly parts: Readonly<Partial<Record<ColumnPart, number>>>
  /** Where a click on the column leads. */
  readonly href?: string
}

const [WIDTH, GAP, HEIGHT] = [10, 1, 100] as const

const totalOf = ({ parts }: Column): number => PARTS.reduce((total, part) => total + (parts[part] ?? 0), 0)

/** The parts of a column, one above the other. */
const Stack = ({ column, x, highest }: { readonly column: Column; readonly x: number; readonly highest: number }) => {
  let top: number = HEIGHT
  return (
    <>
      <rect class="area" x={x} y={0} width={WIDTH} height={HEIGHT} />
      {PARTS.map((part) => {
        const height = ((column.parts[part] ?? 0) / highest) * HEIGHT
        top -= height
        return <rect key={part} class={`part-${part}`} x={x + GAP} y={top} width={WIDTH - 2 * GAP} height={height} />
      })}
      <title>{words.column(column.label, totalOf(column))}</title>
    </>
  )
}

interface ColumnChartProps {
  readonly columns: readonly Column[]
  /** Texts below the first and the last column. */
  readonly ends: readonly [string, string]
}

/** Columns without a keyboard and a voice: a table with the same numbers and links stands below. */
export const ColumnChart = ({ columns, ends }: ColumnChartProps) => {
  const highest = Math.max(...columns.map(totalOf))
  return (
    <>
      <p class="hint">{words.highest(highest)}</p>
      <svg class="chart" viewBox={`0 0 ${columns.length * WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {columns.map((column, index) => {
          const stack = <Stack column={column} x={index * WIDTH} highest={Math.max(highest, 1)} />
          return column.href === undefined ? (
            <g key={column.label}>{stack}</g>
          ) : (
            <a key={column.label} href={column.href} tabindex={-1}>
              {stack}
            </a>
          )
        })}
      </svg>
      <p class="scale wide-scale" aria-hidden="true">
        {ends.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </p>
    </>
  )
}

/** The legend of the chart: which colour stands for which part of these columns. */
export const ColumnLegend = ({ columns }: { readonly columns: readonly Column[] }) => (
  <ul class="legend">
    {PARTS.filter((part) => columns.some(({ parts }) => (parts[part] ?? 0) > 0)).map((part) => (
      <li key={part}>
        <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
          <rect class={`part-${part}`} width={10} height={10} />
        </svg>{' '}
        {words.parts[part]}
      </li>
    ))}
  </ul>
)
