/** Metadata keys that tell where a lead is. */
export const LOCATION_KEYS = ['timezone', 'us_state', 'state', 'property_state', 'zip', 'property_zip', 'ip_address', 'ip']
