import { destinationUrl } from '../../http/fields/url.ts'
import { setting } from '../../platform/environment.ts'
import { isHostOf, isPrivateUrl } from '../../platform/safe-fetch/public-addresses.ts'
import { invalid } from '../../platform/values/errors.ts'

/**
 * Refuses a literal private address. The addresses of a name are checked at each request.
 * @throws ServiceError `validation`
 */
export const checkDestination = (destination: string): void => {
  const url = destinationUrl(destination)
  if (!isPrivateUrl(url) || isHostOf(setting('PRIVATE_WEBHOOK_HOSTS'), url)) return
  throw invalid({ url: ['The address of the destination is not public.'] })
}
