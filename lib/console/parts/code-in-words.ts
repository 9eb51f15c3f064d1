/** `NEXT_AVAILABLE_SLOT` as `next available slot`. */
export const codeInWords = (code: string): string => code.replaceAll('_', ' ').toLowerCase()
