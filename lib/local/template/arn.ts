import { REGION } from '../engines/engine.ts'

/** The account and region in every ARN of the local run. */
export interface AwsPlace {
  readonly account: string
  readonly region: string
}

export const localPlace: AwsPlace = { account: '000000000000', region: REGION }

export const partition = 'aws'
export const urlSuffix = 'amazonaws.com'

export const arnOf = (place: AwsPlace, service: string, resource: string): string =>
  `arn:${partition}:${service}:${place.region}:${place.account}:${resource}`

/** The function's name in an ARN, with or without a version or alias; undefined for any other ARN. */
export const functionNameOf = (arn: string): string | undefined => /^arn:[^:]+:lambda:[^:]*:[^:]*:function:([^:/]+)/.exec(arn)?.[1]
