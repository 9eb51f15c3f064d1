import { type Command, Option } from 'commander'
import * as v from 'valibot'
import { ONE_LINE, table } from '../output.ts'
import { Flag, type Runner } from '../runner.ts'

const EXAMPLES = `
Examples:
  npm run ops -- keys issue acme --name crm
  npm run ops -- keys list acme
  npm run ops -- keys revoke 51-3fa94c01be

A user may have several working keys, so that you can rotate them.
`

const COLUMNS = ['id', 'name', 'created', 'revoked']

const LONGEST_NAME = 100

/** Empty when no name is given. */
const Name = v.pipe(
  v.string(),
  v.check(
    (name) => name === '' || (ONE_LINE.test(name) && name.length <= LONGEST_NAME),
    `--name must be one line of at most ${LONGEST_NAME} characters, and not blank.`,
  ),
)

const NO_STAFF =
  'A key has no rights of its own. Set "is_staff: true" on the user in your YAML file, apply it, and issue the key without --staff.'

/** An option until version 1.0.2. It is still parsed to explain what to do instead. */
const NoStaff = v.optional(
  v.pipe(
    v.boolean(),
    v.check((given) => !given, NO_STAFF),
  ),
)

export const addKeys = (program: Command, run: Runner): void => {
  const keys = program.command('keys').description('issue, list and revoke API keys').addHelpText('after', EXAMPLES)

  keys
    .command('issue')
    .argument('<user>', 'key or id of the user')
    .addOption(new Option('--staff').hideHelp())
    .option('--name <name>', 'what the key is for', '')
    .description('issue a key and show it once')
    .addHelpText('after', '\nExample:\n  npm run ops -- keys issue acme --name crm\n')
    .action(
      run(v.object({ user: v.string(), staff: NoStaff, name: Name, json: Flag }), async ({ given, output }) => {
        const { issueKey } = await import('../api-keys.ts')
        const issued = await issueKey(given.user, given)
        if (!given.json) output.note('This is the only time that the key is shown.')
        output.show(issued, () => issued.key)
        return 0
      }),
    )

  keys
    .command('list')
    .argument('<user>', 'key or id of the user')
    .description("list a user's keys, without their secret values")
    .addHelpText('after', '\nExample:\n  npm run ops -- keys list acme\n')
    .action(
      run(v.object({ user: v.string() }), async ({ given, output }) => {
        const { listKeys } = await import('../api-keys.ts')
        const found = await listKeys(given.user)
        const rows = found.map((key) => [key.id, key.name, key.created_time ?? '', key.revoked_time ?? ''])
        output.show(found, () => table(COLUMNS, rows, `User ${given.user} has no keys.`))
        return 0
      }),
    )

  keys
    .command('revoke')
    .argument('<id>', 'id of the key, from "keys list"')
    .description('revoke a key; it stops working within ten seconds')
    .addHelpText('after', '\nExample:\n  npm run ops -- keys revoke 51-3fa94c01be\n')
    .action(
      run(v.object({ id: v.string() }), async ({ given: { id }, output }) => {
        const { revokeKey } = await import('../api-keys.ts')
        const revoked = await revokeKey(id)
        output.show({ id, revoked }, () => (revoked ? `Key ${id} is revoked.` : `Key ${id} was already revoked.`))
        return 0
      }),
    )
}
