import { describe, expect, it } from '@jest/globals'
import { followCommand, readUploadCommandLine, UPLOAD_USAGE, uploadName } from '#lib/uploader/options.ts'

const ID = '5bfb0a5a-2f5b-4d5e-8a57-0c9f8b7b1a11'
const KEY = { LEAD_OUTREACH_API_KEY: 'key' }

describe('the command line of the uploader', () => {
  it('the uploader takes address and key from the environment', () => {
    expect(readUploadCommandLine(['a.csv', '--source', 'demo'], KEY)).toEqual({
      kind: 'run',
      options: { file: 'a.csv', source: 'demo', dryRun: false, url: 'http://127.0.0.1:3000', key: 'key', json: false },
    })
    expect(
      readUploadCommandLine(['a.csv', '--source', 'demo'], { ...KEY, LEAD_OUTREACH_URL: 'https://leads.example.com/prod/' }),
    ).toMatchObject({
      options: { url: 'https://leads.example.com/prod' },
    })
  })

  it('the uploader prefers flags to the environment', () => {
    const flags = ['--source', 'demo', '--url', 'http://localhost:1', '--key', 'other', '--json', 'a.csv']
    expect(readUploadCommandLine(flags, { ...KEY, LEAD_OUTREACH_URL: 'https://leads.example.com' })).toEqual({
      kind: 'run',
      options: { file: 'a.csv', source: 'demo', dryRun: false, url: 'http://localhost:1', key: 'other', json: true },
    })
  })

  it.each([
    ['https://leads.example.com/prod/api/', 'https://leads.example.com/prod'],
    ['http://127.0.0.1:3000/api', 'http://127.0.0.1:3000'],
    ['http://127.0.0.1:3000/api/docs/#/Leads', 'http://127.0.0.1:3000'],
  ])('the uploader corrects an address with the path of the API, and says so: %s', (given, url) => {
    expect(readUploadCommandLine(['a.csv', '--source', 'demo', '--url', given], KEY)).toMatchObject({
      options: { url, correction: `The address of a service does not include /api. Using ${url} instead of ${given}` },
    })
  })

  it('the uploader takes a dry run and a file for the report', () => {
    expect(readUploadCommandLine(['a.csv', '--source', 'demo', '--dry-run', '--report', 'r.csv'], KEY)).toMatchObject({
      options: { dryRun: true, report: 'r.csv' },
    })
  })

  it.each([[['a.csv']], [['a.csv', '--source', '']]])(
    "the uploader's command line may lack a source, and the upload then lists the sources: %j",
    (args) => {
      const { options } = readUploadCommandLine(args, KEY) as { options: object }
      expect(options).not.toHaveProperty('source')
    },
  )

  it('the uploader takes the id of an earlier upload with --follow', () => {
    expect(readUploadCommandLine(['--follow', ID, '--json'], KEY)).toEqual({
      kind: 'run',
      options: { follow: ID, url: 'http://127.0.0.1:3000', key: 'key', json: true },
    })
  })

  it('the uploader gives help with examples, whatever else is asked', () => {
    expect(readUploadCommandLine(['--help', 'a', 'b'], {})).toEqual({ kind: 'help' })
    expect(UPLOAD_USAGE).toContain('npm run upload -- leads.csv --source demo')
  })

  it.each([
    [['--source', 'demo'], KEY, /Which file/],
    [['a.csv', 'b.csv', '--source', 'demo'], KEY, /One file at a time/],
    [['a.csv', '--source', 'demo'], {}, /^An API key is needed: put it into LEAD_OUTREACH_API_KEY\.$/],
    [
      ['a.csv', '--source', 'demo'],
      { LEAD_OUTREACH_API_KEY: '' },
      /^LEAD_OUTREACH_API_KEY is empty\. It must hold an API key, such as lok_…\.$/,
    ],
    [['a.csv', '--source', 'demo', '--key', ' '], KEY, /^--key is empty\./],
    [
      ['a.csv', '--source', 'demo'],
      { ...KEY, LEAD_OUTREACH_URL: '' },
      /^LEAD_OUTREACH_URL is empty\. It must hold the address of the service, such as https:\/\/leads\.example\.com\.$/,
    ],
    [['a.csv', '--source', 'demo', '--url='], KEY, /^--url is empty\./],
    [['a.csv', '--source', 'demo', '--report='], KEY, /^--report is empty\. It must hold the name of a new file\.$/],
    [
      ['a.csv', '--source', 'demo'],
      { LEAD_OUTREACH_API_KEY: 'lok_a\nb' },
      /^The API key contains spaces, line ends or other characters that no API key has\.$/,
    ],
    [
      ['a.csv', '--source', 'demo', '--url', 'leads.example.com/prod/'],
      KEY,
      /^"leads.example.com\/prod\/" is not the address of a service: it lacks http:\/\/ or https:\/\/\. Write https:\/\/leads\.example\.com\/prod$/,
    ],
    [['a.csv', '--source', 'demo', '--url', 'localhost:3000'], KEY, / Write http:\/\/localhost:3000$/],
    [['a.csv', '--source', 'demo'], { ...KEY, LEAD_OUTREACH_URL: '127.0.0.1:3000' }, / Write http:\/\/127\.0\.0\.1:3000$/],
    [
      ['a.csv', '--source', 'demo', '--url', 'https://a@leads.example.com/?x'],
      KEY,
      /leave out everything but host and path\. Write https:\/\/leads\.example\.com$/,
    ],
    [['a.csv', '--source', 'demo', '--url', 'http://'], KEY, /write it as https:/],
    [['--follow', ID, '--dry-run'], KEY, /--follow sends nothing/],
    [['a.csv', '--source', 'demo', '--url', 'ftp://leads.example.com'], KEY, /not the address/],
    [['--follow', ID, 'a.csv'], KEY, /--follow sends nothing/],
    [['--follow', ID, '--source', 'demo'], KEY, /--follow sends nothing/],
    [['--follow', '17'], KEY, /the id of an upload.* not "17"/],
    [['--follow', ID], {}, /LEAD_OUTREACH_API_KEY/],
    [['a.csv', '--source', 'demo', '--dryrun'], KEY, /^Unknown option '--dryrun'\. Did you mean --dry-run\?$/],
    [['a.csv', '--sauce', 'demo'], KEY, /^Unknown option '--sauce'\. Did you mean --source\?$/],
    [['a.csv', '--unlike-all'], KEY, /^Unknown option '--unlike-all'\.$/],
    [['a.csv', '-x'], KEY, /^Unknown option '-x'\.$/],
    [['a.csv', '--source'], KEY, /--source/],
  ])('the uploader explains a mistake: %j', (args, environment, message) => {
    expect(readUploadCommandLine(args, environment)).toEqual({ kind: 'mistake', message: expect.stringMatching(message) })
  })
})

describe('the command that follows an upload', () => {
  it.each([
    ['http://127.0.0.1:3000', ''],
    ['https://leads.example.com/prod', ' --url https://leads.example.com/prod'],
    ["https://x.example.com/it's?a&b", " --url 'https://x.example.com/it'\\''s?a&b'"],
  ])('the command that follows an upload names the service unless it is the default: %s', (url, named) => {
    expect(followCommand(ID, url)).toBe(`npm run upload -- --follow ${ID}${named}`)
  })
})

describe('the name of a file', () => {
  it.each([
    ['/tmp/some where/leads.csv', 'leads.csv'],
    ['leads (1).csv', 'leads _1_.csv'],
    ['.hidden.csv', 'hidden.csv'],
    ['-.-', 'leads.csv'],
    ['Überblick März.csv', 'Uberblick Marz.csv'],
    ['Straße 5.csv', 'Stra_e 5.csv'],
    ['顧客.csv', 'leads.csv'],
    ['顧客.xlsx', 'leads.xlsx'],
    ['顧客', 'leads.csv'],
    [`${'a'.repeat(300)}.csv`, `${'a'.repeat(251)}.csv`],
  ])('the name of an uploaded file is changed to fit what the service accepts: %s', (file, name) => {
    expect(uploadName(file)).toBe(name)
    expect(name).toMatch(/^[a-zA-Z0-9][a-zA-Z0-9_. -]{0,254}$/)
  })
})
