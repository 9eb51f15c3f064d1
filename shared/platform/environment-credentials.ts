/**
 * Stands in for the SDK's search for credentials in profiles, single sign-on, metadata services and so on: Lambda gives a function
 * its credentials in the environment, and what looks elsewhere would be a sixth of each bundle.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env'
