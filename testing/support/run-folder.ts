/** Names a folder that exists while the tests run, and that all test files and the processes they start may use. */
export const RUN_FOLDER_VARIABLE = 'REFLECT_TEST_RUN_FOLDER';
