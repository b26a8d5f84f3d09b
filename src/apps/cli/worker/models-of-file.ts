import { shownUrl } from '../../../lib/text/secrets';
import { parseModelsFile } from '../../../worker/models-file/models-of-worker';
import { readText } from '../support/run-input';
import { modelEndpoint, type Finding, KEY_ELSEWHERE } from './model-findings';

type FileModels = ReturnType<typeof parseModelsFile>;

/**
 * The models of a file, or of the one that `REFLECT_MODELS` names, the default first; undefined without a file. Throws CliError
 * FileUnreadable, SpecFileError with every problem and its location.
 */
export async function modelsOfFile(file = process.env['REFLECT_MODELS'] || undefined): Promise<FileModels | undefined> {
  return file === undefined ? undefined : parseModelsFile(...(await readText(file)));
}

function endpointOf({ baseUrl }: FileModels[number]): string {
  return baseUrl === undefined ? modelEndpoint().baseUrl : shownUrl(baseUrl).replace(/\/$/, '');
}

export function modelLines(models: FileModels): string[] {
  return models.map((config, index) => {
    const { name, model, fallback } = config;
    const more = [...(index === 0 ? ['default'] : []), ...(fallback === undefined ? [] : [`fallback: ${fallback}`])];
    return `  ${name}: ${model} at ${endpointOf(config)}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
  });
}

export async function fileModelFindings(file: string | undefined): Promise<Finding[] | undefined> {
  try {
    const models = await modelsOfFile(file);
    return models?.map((config) => {
      const { name, model, baseUrl, apiKeyVariable = 'OPENAI_API_KEY' } = config;
      const hasKey = Boolean(process.env[apiKeyVariable]);
      const isOwn = baseUrl !== undefined || Boolean(process.env['OPENAI_BASE_URL']);
      const key = hasKey ? `${apiKeyVariable} is set` : `${apiKeyVariable} is not set here`;
      return {
        well: true,
        ...(!hasKey && !isOwn && { isDoubtful: true as const }),
        text: `Model "${name}": ${model} at ${endpointOf(config)}; ${key}`,
        advice: `${KEY_ELSEWHERE} Set ${apiKeyVariable} where the worker runs, or name another variable with api_key_variable.`,
      };
    });
  } catch (error) {
    return [{ well: false, text: (error as Error).message, advice: 'It comes from --models or REFLECT_MODELS.' }];
  }
}
