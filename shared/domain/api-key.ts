/** A new API key. @param random 20 bytes that nobody can guess */
export const newApiKey = (random: Uint8Array): string => Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
