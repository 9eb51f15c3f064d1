/**
 * A Markdown text without what the formatter adds: the width of table columns, indents and blank lines. `npm run lint` checks the layout
 * itself.
 */
export const withoutLayout = (text: string): string =>
  text
    .replace(/-{3,}/g, '---')
    .replace(/^[ \t]+/gm, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n{2,}/g, '\n')
    .trim()
