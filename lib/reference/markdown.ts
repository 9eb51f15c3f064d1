const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`

/** A table; line ends within cells become spaces. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')

export const code = (text: string): string => `\`${text}\``

export const codeBlock = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

/** Blocks of text with empty lines between them. */
export const markdownPage = (...blocks: readonly string[]): string => `${blocks.join('\n\n')}\n`
