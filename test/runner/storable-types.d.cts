export function rememberTypes(): () => void;
