import { parseKnownFiles } from '@smithy/core/config'

/** The files also have sections that are no profiles. */
const OTHER_SECTIONS = /^(sso-session|services)\./

/** The names of the AWS profiles in the files of this machine. */
export const profileNames = async (): Promise<string[]> =>
  Object.keys(await parseKnownFiles({})).filter((name) => !OTHER_SECTIONS.test(name))
