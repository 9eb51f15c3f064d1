import { toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { idField } from '#shared/schema/fields/number.ts'
import { NoFields } from '#shared/schema/fields/only-fields.ts'
import { MOST_ITEMS } from '#shared/schema/requests/bulk.ts'
import { BookSlot, FindSlots } from '#shared/schema/requests/calendar.ts'
import { CheckFilter } from '#shared/schema/requests/check-filter.ts'
import { CreateLead } from '#shared/schema/requests/create-lead.ts'
import { CreateSubscription } from '#shared/schema/requests/create-subscription.ts'
import { CreateUpload } from '#shared/schema/requests/create-upload.ts'
import { DeleteByUrl } from '#shared/schema/requests/delete-by-url.ts'
import { EnterOnList } from '#shared/schema/requests/dnc.ts'
import { InboundCall } from '#shared/schema/requests/inbound-call.ts'
import { PauseCalls } from '#shared/schema/requests/pause-calls.ts'
import { ReplayRecentChat } from '#shared/schema/requests/replay.ts'
import { ScheduleCall } from '#shared/schema/requests/schedule-call.ts'
import { UpdateByMatch } from '#shared/schema/requests/update-by-match.ts'
import { UpdateLead, updateEntries } from '#shared/schema/requests/update-lead.ts'
import { UpdateLiveCall } from '#shared/schema/requests/update-live-call.ts'
import { AcceptedWorkResponse } from '#shared/schema/responses/accepted-work.ts'
import { AppointmentResponse, InboundBriefingResponse, SlotsResponse } from '#shared/schema/responses/agents.ts'
import { BulkCreateResponse, BulkUpdateResponse } from '#shared/schema/responses/bulk.ts'
import { CallResponse } from '#shared/schema/responses/call.ts'
import { DeliveryResponse } from '#shared/schema/responses/delivery.ts'
import { DncEntryResponse, DncLookUpResponse } from '#shared/schema/responses/dnc.ts'
import { DetailResponse, FieldErrorsResponse } from '#shared/schema/responses/errors.ts'
import { CallEventResponse, ChatResponse, LeadEventResponse, SmsEventResponse, SmsResponse } from '#shared/schema/responses/event.ts'
import { ExplanationResponse, ScheduledCallResponse } from '#shared/schema/responses/explanation.ts'
import { FilterCheckResponse } from '#shared/schema/responses/filter-check.ts'
import { LeadResponse } from '#shared/schema/responses/lead.ts'
import { LeadTypeResponse } from '#shared/schema/responses/lead-type.ts'
import { pageResponse } from '#shared/schema/responses/page.ts'
import { ReplayResponse } from '#shared/schema/responses/replay.ts'
import { AcceptedResponse, HealthyResponse, UnavailableResponse } from '#shared/schema/responses/state.ts'
import {
  DeletedResponse,
  NewSubscriptionResponse,
  RotatedSecretResponse,
  SubscriptionResponse,
} from '#shared/schema/responses/subscription.ts'
import { TaskResponse } from '#shared/schema/responses/task.ts'
import { UploadResponse, UploadUrlResponse } from '#shared/schema/responses/upload.ts'
import { UserResponse } from '#shared/schema/responses/user.ts'
import { DateTime } from '#shared/schema/responses/values.ts'
import { CallReport } from './call-report.ts'

const FOLDED = 'Keys that are no field of a lead go into its `metadata`. Fields that only the service sets are ignored.'

const leadList = <S extends v.GenericSchema>(item: S) => v.strictObject({ leads: v.pipe(v.array(item), v.maxLength(MOST_ITEMS)) })

const NewLead = v.pipe(CreateLead, v.description(FOLDED))

/** The objects of the API, by the names that the document gives them. */
export const components = {
  Lead: LeadResponse,
  LeadPage: pageResponse(LeadResponse),
  CreateLead: NewLead,
  ForeignLead: v.pipe(v.record(v.string(), v.unknown()), v.minEntries(1), v.description('A lead in the shape of its provider.')),
  UpdateLead: v.pipe(UpdateLead, v.description(`${FOLDED} What is left out stays as it is.`)),
  UpdateLeadByMatch: v.pipe(
    UpdateByMatch,
    v.description(`${FOLDED} \`phone_number\` and \`email\` name the lead; without an email it is one that has none.`),
  ),
  BulkCreate: leadList(NewLead),
  BulkCreateResult: BulkCreateResponse,
  BulkUpdate: leadList(v.pipe(v.object({ id: idField(), ...updateEntries }), v.description(FOLDED))),
  BulkUpdateResult: BulkUpdateResponse,
  Explanation: ExplanationResponse,
  ScheduleCall,
  ScheduledCall: ScheduledCallResponse,
  Call: CallResponse,
  CallPage: pageResponse(CallResponse),
  Task: TaskResponse,
  CreateUpload,
  UploadUrl: UploadUrlResponse,
  Upload: UploadResponse,
  LeadType: LeadTypeResponse,
  LeadTypePage: pageResponse(LeadTypeResponse),
  User: UserResponse,
  PauseCalls,
  NoFields: v.pipe(NoFields, v.description('An empty object, or no body at all.')),
  AcceptedWork: AcceptedWorkResponse,
  EnterOnList,
  DncEntry: DncEntryResponse,
  DncLookUp: DncLookUpResponse,
  CreateSubscription,
  NewSubscription: NewSubscriptionResponse,
  Subscription: SubscriptionResponse,
  CheckFilter,
  FilterCheck: FilterCheckResponse,
  SubscriptionPage: pageResponse(SubscriptionResponse),
  DeleteByUrl,
  Deleted: DeletedResponse,
  RotatedSecret: RotatedSecretResponse,
  Delivery: DeliveryResponse,
  DeliveryPage: pageResponse(DeliveryResponse),
  Chat: ChatResponse,
  TextMessage: SmsResponse,
  LeadEvent: LeadEventResponse,
  CallEvent: CallEventResponse,
  SmsEvent: SmsEventResponse,
  ReplayRecentChat,
  Replay: ReplayResponse,
  UpdateLiveCall,
  CallReport,
  InboundCall,
  InboundBriefing: InboundBriefingResponse,
  FindSlots,
  Slots: SlotsResponse,
  BookSlot,
  Appointment: AppointmentResponse,
  Accepted: AcceptedResponse,
  Healthy: HealthyResponse,
  Unavailable: UnavailableResponse,
  Detail: DetailResponse,
  FieldErrors: FieldErrorsResponse,
  DateTime,
} as const satisfies Readonly<Record<string, v.GenericSchema>>

export type Component = keyof typeof components

export const refTo = (component: Component) => ({ $ref: `#/components/schemas/${component}` })

/**
 * The JSON Schemas of all of them. Coercion has no place in them: they tell what to send, and every value that they allow is
 * looked at as any other.
 */
export const jsonSchemas = (): Readonly<Record<string, object>> =>
  toJsonSchemaDefs(components, {
    target: 'draft-2020-12',
    errorMode: 'ignore',
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  })
