import { z } from 'zod';
import { optional } from '../../../lib/contract/values';
import { reflectionConfig } from './agents';

const globalConfig = z.strictObject({ reflection: optional(reflectionConfig, 'When and how agents reflect.') });

/** The fields of a configuration file that are about populations. */
export const populationConfig = { globalConfig: optional(globalConfig, 'Configuration of populations.') };
