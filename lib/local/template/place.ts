import { REGION } from '../engines/access.ts'

/** The account and region that every ARN of the local run carries. */
export interface AwsPlace {
  readonly account: string
  readonly region: string
}

export const localPlace: AwsPlace = { account: '000000000000', region: REGION }

export const partition = 'aws'
export const urlSuffix = 'amazonaws.com'

export const arnOf = (place: AwsPlace, service: string, resource: string): string =>
  `arn:${partition}:${service}:${place.region}:${place.account}:${resource}`

/** The name of a function from its ARN, with or without a version or alias behind it; undefined when it is no function's ARN. */
export const functionNameOf = (arn: string): string | undefined => /^arn:[^:]+:lambda:[^:]*:[^:]*:function:([^:/]+)/.exec(arn)?.[1]
