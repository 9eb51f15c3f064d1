import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import { PolicyDocument, type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Architecture, Code, Function as LambdaFunction, LayerVersion, RecursiveLoop, Runtime } from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import { Construct } from 'constructs'
import { settingsOf } from '../settings.ts'
import { bundleFolder, bundleName } from './bundle.ts'
import { allow, type Provision } from './provision.ts'

/** Timeout of a function that sets no other. */
export const USUAL_TIMEOUT = Duration.seconds(10)

export interface ServiceFunctionProps {
  /** Folder under `functions/`. */
  readonly name: string
  /** Says what breaks for whom while the function fails. */
  readonly impact: string
  /** The things that it may use. */
  readonly provisions?: readonly Provision[]
  /** Default: USUAL_TIMEOUT. The API waits for 29 s at most. */
  readonly timeout?: Duration
  /** Default: 512, which buys a third of a processor. */
  readonly memoryMb?: number
  /**
   * Lambda ends a loop of about 16 messages in which a function triggers itself. True for a function whose loop is intended, and ends by
   * itself. Default: false.
   */
  readonly causesItself?: boolean
  /** Reserves `reservedConcurrency` runs, so that a flood of other requests cannot take them. Default: false. */
  readonly isReserved?: boolean
}

/** A function with its bundle, its log, and a role that allows only what its provisions say. */
export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction
  readonly functionName: string
  readonly impact: string
  readonly #policy: PolicyDocument

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id)
    const { stage, logRetentionDays, bundles, reservedConcurrency, outputTimezone } = settingsOf(this)
    const { name, impact, provisions = [], timeout = USUAL_TIMEOUT, memoryMb = 512, causesItself = false, isReserved = false } = props
    this.impact = impact
    this.functionName = `lead-outreach-${stage}-${bundleName(name)}`

    const logGroup = new LogGroup(this, 'Log', {
      logGroupName: `/aws/lambda/${this.functionName}`,
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    this.#policy = new PolicyDocument({
      statements: [allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn), ...statementsOf(provisions)],
    })
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName: this.functionName,
      description: name,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(bundleFolder(bundles, name)),
      handler: 'index.handler',
      timeout,
      memorySize: memoryMb,
      logGroup,
      // Inline, so that the permissions exist before the function does, and before anything sends to it.
      role: new Role(this, 'Role', {
        assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
        inlinePolicies: { Needs: this.#policy },
      }),
      layers: provisions.flatMap(({ folders = [] }) => folders.map((folder) => layerOf(Stack.of(this), folder))),
      ...(isReserved && reservedConcurrency > 0 && { reservedConcurrentExecutions: reservedConcurrency }),
      recursiveLoop: causesItself ? RecursiveLoop.ALLOW : RecursiveLoop.TERMINATE,
      environment: Object.assign(
        { NODE_OPTIONS: '--enable-source-maps', STAGE: stage, OUTPUT_TIMEZONE: outputTimezone },
        ...provisions.map((provision) => provision.environment),
      ),
    })
    Validations.of(this).acknowledge(...provisions.flatMap(({ acknowledged = [] }) => acknowledged))
  }

  /** Adds a permission, for things that are only known after the function. */
  mayAlso(statement: PolicyStatement): void {
    this.#policy.addStatements(statement)
  }
}

/** One layer for all functions of a stack. An export to other stacks could not be replaced by a newer version. */
const layerOf = (stack: Stack, folder: string): LayerVersion => {
  const made = stack.node.tryFindChild(`Layer ${folder}`)
  return made instanceof LayerVersion ? made : new LayerVersion(stack, `Layer ${folder}`, { code: Code.fromAsset(folder) })
}

const statementsOf = (provisions: readonly Provision[]): PolicyStatement[] => provisions.flatMap((provision) => provision.statements ?? [])
