/**
 * Replaces the SDK's search for credentials in profiles, single sign-on, metadata services and so on. Lambda puts a function's credentials
 * into its environment, and the search would make up a sixth of each bundle.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env'
