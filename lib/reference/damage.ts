import { KINDS } from '../ops/check/kinds.ts'
import { code, codeBlock, markdownPage, markdownTable } from './markdown.ts'

/** Every kind of damage that the operator's tool finds. */
export const damagePage = (): string =>
  markdownPage(
    '# Kinds of damage',
    `What \`npm run ops -- check\` finds where items of the table do not agree with each other, and where. The command that mends it is told
with it:`,
    codeBlock('', 'npm run ops -- mend line-held 1/4711-2'),
    markdownTable(
      ['Kind and where', 'What is wrong, and for whom that matters'],
      KINDS.map(({ kind, at, about }) => [code(`${kind} ${at}`), about]),
    ),
  )
