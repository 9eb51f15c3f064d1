const signature = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description })

/** Each platform signs in its own way. The guides of the platforms tell how. */
export const platformSignatures = {
  bland: signature('x-webhook-signature', 'Bland: HMAC-SHA256 of the body, by the webhook secret of the account.'),
  elevenlabs: signature('elevenlabs-signature', 'ElevenLabs: time, and HMAC-SHA256 of time and body, by the secret of the webhook.'),
  retell: signature('x-retell-signature', 'Retell: time, and HMAC-SHA256 of body and time, by the API key.'),
  telnyx: signature('telnyx-signature-ed25519', 'Telnyx: Ed25519 of `telnyx-timestamp` and the body, by the key of the account.'),
  twilio: signature('x-twilio-signature', 'Twilio: HMAC-SHA1 of the URL and the sorted fields of the form, by the auth token.'),
  vapi: signature('webhook-signature', 'Vapi, with a credential that signs as Standard Webhooks, by the secret of the credential.'),
}

/** How requests prove who sent them. */
export const securitySchemes = {
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The word `Token` (or `Bearer`), a space, and the API key: `Token lok_…`',
  },
  agent: {
    type: 'apiKey',
    in: 'header',
    name: 'webhook-signature',
    description:
      "Signature of Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `webhook-id.webhook-timestamp.body`. The key is the voice agent's own secret without `whsec_`, decoded from base64. It signs requests in both directions. Several signatures are separated by spaces; one of them must be right. A signature is valid for five minutes.",
  },
  ...platformSignatures,
  toolToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of one agent, which `npm run ops -- agents tools` prints.',
  },
}
