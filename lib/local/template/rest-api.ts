import * as v from 'valibot'
import type { ApiSpec, RouteSpec } from '../model.ts'
import { functionNameOf } from './arn.ts'
import { ofType, type Resource } from './resource.ts'
import { numeric } from './site.ts'

const apiSchema = v.object({
  BinaryMediaTypes: v.optional(v.array(v.string()), []),
  Body: v.optional(v.unknown()),
  BodyS3Location: v.optional(v.unknown()),
})
const nodeSchema = v.object({ ParentId: v.string(), PathPart: v.string() })
const methodSchema = v.object({
  HttpMethod: v.string(),
  ResourceId: v.string(),
  AuthorizationType: v.optional(v.string(), 'NONE'),
  Integration: v.optional(v.object({ Type: v.string(), Uri: v.optional(v.string(), '') })),
})
const gatewayResponseSchema = v.object({
  ResponseType: v.string(),
  StatusCode: v.optional(numeric),
  ResponseTemplates: v.optional(v.record(v.string(), v.string()), {}),
  ResponseParameters: v.optional(v.record(v.string(), v.string()), {}),
})

/** API Gateway's template for a response without its own. */
export const defaultGatewayTemplate = '{"message":$context.error.messageString}'

const headerPrefix = 'gatewayresponse.header.'

const readPaths = (resources: readonly Resource[]): ((resourceId: string) => string | undefined) => {
  const nodes = new Map(
    ofType(resources, 'AWS::ApiGateway::Resource').map((resource) => [resource.ref, resource.read(nodeSchema)] as const),
  )
  const roots = new Set(ofType(resources, 'AWS::ApiGateway::RestApi').map((api) => api.attribute('RootResourceId')))
  const pathOf = (resourceId: string): string | undefined => {
    if (roots.has(resourceId)) return '/'
    const node = nodes.get(resourceId)
    const parent = node === undefined ? undefined : pathOf(node.ParentId)
    return node === undefined || parent === undefined ? undefined : `${parent === '/' ? '' : parent}/${node.PathPart}`
  }
  return pathOf
}

const readRoutes = (resources: readonly Resource[]): readonly RouteSpec[] => {
  const pathOf = readPaths(resources)
  return ofType(resources, 'AWS::ApiGateway::Method').map((resource) => {
    const { HttpMethod, ResourceId, AuthorizationType, Integration } = resource.read(methodSchema)
    if (AuthorizationType !== 'NONE') resource.fail('methods with an authorizer are not served')
    if (Integration?.Type !== 'AWS_PROXY') return resource.fail('only proxy integrations with a function are served')
    const invoked = /\/functions\/(arn:[^/]+)\/invocations$/.exec(Integration.Uri)?.[1] ?? ''
    return {
      method: HttpMethod,
      path: pathOf(ResourceId) ?? resource.fail('its path is not in the template'),
      functionName: functionNameOf(invoked) ?? resource.fail('its integration names no function'),
    }
  })
}

const readGatewayResponse = (resource: Resource): readonly [string, ApiSpec['gatewayResponses'][string]] => {
  const { ResponseType, StatusCode, ResponseTemplates, ResponseParameters } = resource.read(gatewayResponseSchema)
  const headers = Object.entries(ResponseParameters)
    .filter(([parameter]) => parameter.startsWith(headerPrefix))
    .map(([parameter, value]) => [parameter.slice(headerPrefix.length), value] as const)
  const template = ResponseTemplates['application/json'] ?? Object.values(ResponseTemplates)[0] ?? defaultGatewayTemplate
  return [ResponseType, { statusCode: StatusCode, template, headers: Object.fromEntries(headers) }]
}

/**
 * The app's REST API; empty when there is none. Header values of gateway responses stay mapping expressions: `'text'` or
 * `context.requestId`.
 */
export const readRestApi = (resources: readonly Resource[]): ApiSpec => {
  const [api, second] = ofType(resources, 'AWS::ApiGateway::RestApi')
  second?.fail('the app has a REST API already, and the local run serves one')
  const settings = api?.read(apiSchema)
  if (settings?.Body !== undefined || settings?.BodyS3Location !== undefined) api?.fail('a REST API from an OpenAPI document is not served')
  return {
    routes: readRoutes(resources),
    binaryMediaTypes: settings?.BinaryMediaTypes ?? [],
    gatewayResponses: Object.fromEntries(ofType(resources, 'AWS::ApiGateway::GatewayResponse').map(readGatewayResponse)),
  }
}
