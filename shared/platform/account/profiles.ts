import { parseKnownFiles } from '@smithy/core/config'

/** The names of the AWS profiles in the files of this machine. */
export const profileNames = async (): Promise<string[]> => Object.keys(await parseKnownFiles({}))
