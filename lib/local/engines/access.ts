export const LOOPBACK = '127.0.0.1'
export const REGION = 'us-east-1'

/** Credentials that every local engine accepts. */
export const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' } as const
