/** Types for data without a class. Their values are plain objects, like the data that a script gets from its workflow. */
export const JSON_TYPES = String.raw`
const parseJson = G.JSON.parse;
class ExpandoObject { constructor() { return {}; } }
class JsonNode { static Parse(text) { return parseJson(Text(text)); } }
class JsonObject extends JsonNode { constructor() { return {}; } }
class JsonElement { static Parse(text) { return parseJson(Text(text)); } }
`;
