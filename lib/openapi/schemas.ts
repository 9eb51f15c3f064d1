import { toJsonSchemaDefs } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { LeadTypeResponse } from '#shared/accounts/api/lead-type.ts'
import { ListedUserResponse, UserResponse } from '#shared/accounts/api/user.ts'
import {
  AppointmentResponse,
  CancelCallRequest,
  InboundBriefingResponse,
  PlaceCallAnswer,
  PlaceCallRequest,
  PlatformEventResponse,
  SlotsResponse,
  ToolResponse,
} from '#shared/agents/api/agent-responses.ts'
import { BookSlot, FindSlots } from '#shared/agents/api/calendar.ts'
import { InboundCall } from '#shared/agents/api/inbound-call.ts'
import { ServiceStateResponse } from '#shared/agents/api/service-state.ts'
import { PauseCalls } from '#shared/backlog/api/pause-calls.ts'
import { ActivityResponse } from '#shared/calling/api/activity.ts'
import { CallResponse } from '#shared/calling/api/call.ts'
import { CallingTimesResponse } from '#shared/calling/api/calling-times.ts'
import { ExplanationResponse, ScheduledCallResponse } from '#shared/calling/api/explanation.ts'
import { CallPreviewResponse, PreviewResponse } from '#shared/calling/api/preview.ts'
import { ScheduleCall } from '#shared/calling/api/schedule-call.ts'
import { StateHoursResponse } from '#shared/calling/api/state-hours.ts'
import { UpdateLiveCall } from '#shared/calling/api/update-live-call.ts'
import { GiveConsent, GivenConsent, RevokeConsent } from '#shared/consents/api/consent-request.ts'
import { ConsentResponse } from '#shared/consents/api/consent-response.ts'
import { CallEventResponse, ChatResponse, LeadEventResponse, SmsEventResponse, SmsResponse } from '#shared/events/api/event-response.ts'
import { idField } from '#shared/http/fields/number.ts'
import { NoFields } from '#shared/http/fields/only-fields.ts'
import {
  AcceptedResponse,
  AcceptedWorkResponse,
  DetailResponse,
  FieldErrorsResponse,
  HealthyResponse,
  pageResponse,
  UnavailableResponse,
} from '#shared/http/responses/general.ts'
import { DateTime } from '#shared/http/responses/values.ts'
import { SourceResponse } from '#shared/ingestion/api/source.ts'
import { MOST_ITEMS } from '#shared/leads/api/bulk-request.ts'
import { BulkCreateResponse, BulkUpdateResponse, TaskResponse } from '#shared/leads/api/bulk-response.ts'
import { CreateLead, UpdateByMatch, UpdateLead, updateEntries } from '#shared/leads/api/lead-request.ts'
import { LeadResponse } from '#shared/leads/api/lead-response.ts'
import { StatisticsResponse } from '#shared/statistics/api/statistics.ts'
import { DncEntryResponse, DncLookUpResponse, EnterOnList } from '#shared/stops/api/dnc.ts'
import { CreateUpload, UploadResponse, UploadUrlResponse } from '#shared/uploads/api/upload.ts'
import { CreateSubscription } from '#shared/webhooks/api/create-subscription.ts'
import { DeleteByUrl } from '#shared/webhooks/api/delete-by-url.ts'
import { DeliveryResponse } from '#shared/webhooks/api/delivery.ts'
import { CheckFilter, FilterCheckResponse } from '#shared/webhooks/api/filter.ts'
import { ReplayRecentChat, ReplayResponse } from '#shared/webhooks/api/replay.ts'
import { DeletedResponse, NewSubscriptionResponse, RotatedSecretResponse, SubscriptionResponse } from '#shared/webhooks/api/subscription.ts'
import { UpdateSubscription } from '#shared/webhooks/api/update-subscription.ts'
import { DocumentedCallReport } from './call-report.ts'
import { enumSchemas, withMeanings } from './enums.ts'

const FOLDED =
  'Keys that are not lead fields go into `metadata`. The service reads `timezone`, `zip`, `state`, `property_zip`, `property_state` and `ip_address` there; the voice agent gets all of it. Fields that only the service sets are ignored.'

const leadList = <S extends v.GenericSchema>(item: S) => v.strictObject({ leads: v.pipe(v.array(item), v.maxLength(MOST_ITEMS)) })

const NewLead = v.pipe(CreateLead, v.description(FOLDED))

/** The objects of the API, by their names in the document. */
export const components = {
  Lead: LeadResponse,
  LeadPage: pageResponse(LeadResponse),
  CreateLead: NewLead,
  ForeignLead: v.pipe(v.record(v.string(), v.unknown()), v.minEntries(1), v.description('A lead in the format of its provider.')),
  UpdateLead: v.pipe(UpdateLead, v.description(`${FOLDED} Fields that you leave out stay as they are.`)),
  UpdateLeadByMatch: v.pipe(
    UpdateByMatch,
    v.description(`${FOLDED} \`phone_number\` and \`email\` identify the lead. Without an email, they identify a lead that has none.`),
  ),
  BulkCreate: leadList(NewLead),
  BulkCreateResult: BulkCreateResponse,
  BulkUpdate: leadList(v.pipe(v.object({ id: idField(), ...updateEntries }), v.description(FOLDED))),
  BulkUpdateResult: BulkUpdateResponse,
  Explanation: ExplanationResponse,
  CallingTimes: CallingTimesResponse,
  CallPreview: CallPreviewResponse,
  Preview: PreviewResponse,
  CallingHours: StateHoursResponse,
  ScheduleCall,
  ScheduledCall: ScheduledCallResponse,
  Call: CallResponse,
  CallPage: pageResponse(CallResponse),
  Task: TaskResponse,
  Source: SourceResponse,
  SourcePage: pageResponse(SourceResponse),
  CreateUpload,
  UploadUrl: UploadUrlResponse,
  Upload: UploadResponse,
  UploadPage: pageResponse(UploadResponse),
  LeadType: LeadTypeResponse,
  LeadTypePage: pageResponse(LeadTypeResponse),
  User: UserResponse,
  ListedUser: ListedUserResponse,
  ListedUserPage: pageResponse(ListedUserResponse),
  PauseCalls,
  NoFields: v.pipe(NoFields, v.description('An empty object, or no body at all.')),
  AcceptedWork: AcceptedWorkResponse,
  EnterOnList,
  DncEntry: DncEntryResponse,
  DncLookUp: DncLookUpResponse,
  GivenConsent,
  GiveConsent,
  RevokeConsent,
  Consent: ConsentResponse,
  ConsentPage: pageResponse(ConsentResponse),
  Activity: ActivityResponse,
  ServiceState: ServiceStateResponse,
  Statistics: StatisticsResponse,
  CreateSubscription,
  NewSubscription: NewSubscriptionResponse,
  Subscription: SubscriptionResponse,
  CheckFilter,
  FilterCheck: FilterCheckResponse,
  UpdateSubscription: v.pipe(UpdateSubscription, v.description('Fields that you leave out stay as they are.')),
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
  PlaceCall: PlaceCallRequest,
  PlacedCall: PlaceCallAnswer,
  CancelCall: CancelCallRequest,
  CallReport: DocumentedCallReport,
  PlatformEvent: v.pipe(
    v.record(v.string(), v.unknown()),
    v.minEntries(1),
    v.description('An event in the format of the voice platform. Some platforms send forms.'),
  ),
  PlatformEventTaken: PlatformEventResponse,
  ToolArguments: v.pipe(
    v.looseObject({
      call_id: v.pipe(v.string(), v.minLength(1), v.description('The variable `call_id` that the assistant was given.')),
      platform_call_id: v.nullish(
        v.pipe(v.string(), v.description('The id of the call on the platform. With an id that differs, only a request to stop counts.')),
      ),
    }),
    v.description('The call, and the arguments of the tool.'),
  ),
  ToolAnswered: ToolResponse,
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
 * The JSON Schemas of all components. Coercion is left out: the schemas say what to send, and the service checks each value in the same
 * way.
 */
export const jsonSchemas = (): Readonly<Record<string, unknown>> => {
  const schemas = toJsonSchemaDefs(components, {
    target: 'draft-2020-12',
    errorMode: 'ignore',
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  })
  return { ...Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, withMeanings(schema)])), ...enumSchemas() }
}
