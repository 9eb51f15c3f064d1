// Runs as a process of its own: the package unpacks into the folder for temporary files, and only if this variable is set does it add the
// libraries that a machine without a desktop lacks.
process.env['CODEBUILD_BUILD_IMAGE'] = 'nodejs22'
const { default: chromium } = await import('@sparticuz/chromium')
process.stdout.write(await chromium.executablePath())
