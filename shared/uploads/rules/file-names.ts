const EXTENSIONS = ['csv', 'tsv', 'tab', 'txt']

/** An ending of only digits, such as a date or a version, is not an extension. */
const extensionOf = (filename: string): string | undefined => /\.([a-z][a-z0-9]*|\d+[a-z][a-z0-9]*)$/i.exec(filename)?.[1]?.toLowerCase()

/** Why a file with this name is not read: a sentence. Undefined when it may be read. */
export const whyForeignName = (filename: string): string | undefined => {
  const extension = extensionOf(filename)
  if (extension === undefined || EXTENSIONS.includes(extension)) return undefined
  return `A file whose name ends in .${extension} is not read: the name of a CSV file ends in .csv, .tsv, .tab or .txt, or has no such ending.`
}
