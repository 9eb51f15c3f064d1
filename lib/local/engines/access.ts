export const LOOPBACK = '127.0.0.1'
export const REGION = 'us-east-1'

/** The one pair that every engine here accepts. */
export const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' } as const
