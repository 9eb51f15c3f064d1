import { KINDS } from '../ops/check/kinds.ts'
import { code, codeBlock, markdownPage, markdownTable } from './markdown.ts'

/** Every kind of damage that the operator's tool finds. */
export const damagePage = (): string =>
  markdownPage(
    '# Kinds of damage',
    `\`npm run ops -- check\` finds items of the table that contradict each other. It prints the command that mends each finding:`,
    codeBlock('', 'npm run ops -- mend line-held 1/4711-2'),
    markdownTable(
      ['Kind and where', 'What is wrong, and for whom that matters'],
      KINDS.map(({ kind, at, about }) => [code(`${kind} ${at}`), about]),
    ),
  )
