export { ApiError, type ApiWarning, NoAnswerError } from './api-error.ts'
export { type ApiAnswer, type ClientSettings, LeadOutreachClient, type ListName, type OperationName } from './client.ts'
export type * from './operations.ts'
export { readWebhook, verifySignature, WebhookSignatureError } from './webhook.ts'
