import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'

export interface FirewallProps {
  readonly stageArn: string
  /** Requests that one IP address may send in five minutes. */
  readonly requests: number
}

const FIVE_MINUTES = 300

/**
 * Rule groups of AWS that refuse no legitimate request. The common rule group would refuse bodies over 8 KB, and text that only looks like
 * markup.
 */
const MANAGED = ['AWSManagedRulesAmazonIpReputationList', 'AWSManagedRulesKnownBadInputsRuleSet']

/** Protects a stage of the API. It refuses known attackers, known attacks, and addresses that send too many requests. */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { stageArn, requests }: FirewallProps) {
    super(scope, id)
    const metered = (metricName: string) => ({ cloudWatchMetricsEnabled: true, metricName, sampledRequestsEnabled: false })
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      customResponseBodies: {
        Throttled: {
          contentType: 'APPLICATION_JSON',
          content: JSON.stringify({ detail: `Request was throttled. Expected available in ${FIVE_MINUTES} seconds.` }),
        },
      },
      visibilityConfig: metered('Firewall'),
      rules: [
        {
          name: 'TooManyRequests',
          priority: 0,
          action: {
            block: {
              customResponse: {
                responseCode: 429,
                customResponseBodyKey: 'Throttled',
                responseHeaders: [{ name: 'Retry-After', value: `${FIVE_MINUTES}` }],
              },
            },
          },
          statement: { rateBasedStatement: { limit: requests, aggregateKeyType: 'IP', evaluationWindowSec: FIVE_MINUTES } },
          visibilityConfig: metered('TooManyRequests'),
        },
        ...MANAGED.map((name, index) => ({
          name,
          priority: index + 1,
          overrideAction: { none: {} },
          statement: { managedRuleGroupStatement: { vendorName: 'AWS', name } },
          visibilityConfig: metered(name),
        })),
      ],
    })
    new CfnWebACLAssociation(this, 'Association', { resourceArn: stageArn, webAclArn: acl.attrArn })
  }
}
