// The same request outside the page.

/** @typedef {{origin: string, model: string, file: string, password: boolean}} Asked */

/** @param {string} text @returns {string} as one word of a shell */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** @param {Asked} asked */
export const curlOf = ({ origin, model, file, password }) =>
  `curl -H "Authorization: Bearer $FIELDWRIGHT_KEY" \\
  -F ${quoted(`file=@"${file.replaceAll(/["\\]/g, '\\$&')}"`)} -F model=${model}${password ? ' -F "password=$PASSWORD"' : ''} \\
  ${origin}/v1/extract`;

/** @param {Asked} asked */
export const pythonOf = ({ origin, model, file, password }) => `import os
from pathlib import Path

import httpx

path = Path(${JSON.stringify(file)})
answer = httpx.post(
    "${origin}/v1/extract",
    headers={"Authorization": f"Bearer {os.environ.get('FIELDWRIGHT_KEY', 'none')}"},
    files={"file": (path.name, path.read_bytes())},
    data={"model": "${model}"${password ? ', "password": os.environ["PASSWORD"]' : ''}},
    timeout=60,
).raise_for_status().json()
for name, field in answer["fields"].items():
    print(name, field)
`;
