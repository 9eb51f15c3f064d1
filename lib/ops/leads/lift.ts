import type { Channel } from '#shared/stops/compliance.ts'
import { type Lift, liftPhone, plannedLift } from '#shared/stops/lift-from-list.ts'
import { counted, type Output } from '../output.ts'
import { OpsRefusal } from '../refusal.ts'
import type { ExitCode } from '../runner.ts'

interface Asked {
  readonly owner: number
  readonly phoneNumber: string
  readonly channels: readonly Channel[]
  readonly reason: string
  readonly dryRun: boolean
  readonly yes: boolean
}

const NOTHING_DONE = 'Nothing was lifted.'

const flagsOf = ({ listed, liftedBefore }: Lift): string => [...listed, ...liftedBefore].map((channel) => `${channel}_dnc`).join(' and ')

/** Takes a number off the do-not-contact list of a user's group. */
export const liftNumber = async ({ reason, dryRun, yes, ...asked }: Asked, output: Output): Promise<ExitCode> => {
  const plan = await plannedLift(asked)
  if (plan.listed.length === 0 && plan.liftedBefore.length === 0) {
    const flags = 'A flag of a lead may stop the number as well: the user can set call_dnc and sms_dnc of the lead to false.'
    throw new OpsRefusal(`${asked.phoneNumber} is not on the list of the user's group. ${NOTHING_DONE} ${flags}`)
  }
  const leads = counted(plan.leads.length, 'lead')
  if (dryRun) {
    output.show({ ...plan, reason, lifted: false }, () => `Would lift ${flagsOf(plan)} of ${asked.phoneNumber}, which has ${leads}.`)
    return 0
  }
  if (!yes) {
    if (!output.isAttended) throw new OpsRefusal(`The person asked not to be contacted. To allow contact again, use --yes. ${NOTHING_DONE}`)
    output.say(`${asked.phoneNumber} has ${leads}.`)
    if (!(await output.confirm(`Lift ${flagsOf(plan)}, so that the person may be contacted again?`))) {
      output.show({ ...plan, reason, lifted: false }, () => NOTHING_DONE)
      return 1
    }
  }
  const done = await liftPhone(asked, reason)
  if (done.listed.length === 0 && done.liftedBefore.length === 0) {
    throw new OpsRefusal(`${asked.phoneNumber} was stopped again while the command ran. ${NOTHING_DONE}`)
  }
  const result = done.leads.length === 0 ? 'It has no leads.' : `The stop no longer holds for its ${counted(done.leads.length, 'lead')}.`
  output.show({ ...done, reason, lifted: true }, () => `Lifted ${flagsOf(done)} of ${asked.phoneNumber}. ${result}`)
  return 0
}
