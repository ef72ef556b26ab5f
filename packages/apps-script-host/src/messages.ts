// The messages of Google's services when they refuse a call, in the languages of the emulated
// accounts.

import { createRandom, seedFrom } from './random';

export const LOCALES = ['en', 'pt', 'es', 'de', 'fr', 'ja'] as const;
export type Locale = (typeof LOCALES)[number];

/**
 * One language for all accounts, or languages by email address, where accounts not listed have
 * English.
 */
export type AccountLocales = Readonly<Record<string, Locale>> | Locale;

export function localesBy(locales: AccountLocales = 'en'): (userEmail: string) => Locale {
  return (userEmail) => (typeof locales === 'string' ? locales : (locales[userEmail] ?? 'en'));
}

/** For worlds that are made from a seed. */
export function localeBySeed(seed: number): Locale {
  return createRandom(seedFrom('locale', seed)).pick(LOCALES);
}

type Texts = Readonly<Record<Locale, string>>;

/**
 * Google addresses users in the language of their account. The words of some messages were looked
 * up (ErrorHandler on GitHub lists them in some forty languages); the others are modelled on those.
 * The values of {0} and {1} are never translated: names of methods and services, scopes, cells,
 * numbers, addresses.
 *
 * This is a function so that a script's context builds the table only when a message is needed.
 */
const table = () =>
  ({
    // Permissions.
    'no-permission': {
      en: 'You do not have permission to call {0}',
      pt: 'Você não tem permissão para chamar {0}',
      es: 'No cuentas con el permiso para llamar a {0}',
      de: 'Sie sind nicht berechtigt, {0} aufzurufen',
      fr: "Vous n'êtes pas autorisé à appeler {0}",
      ja: '{0} を呼び出す権限がありません',
    },
    'no-scope': {
      en: 'Specified permissions are not sufficient to call {0}',
      pt: 'As permissões especificadas não são suficientes para chamar {0}',
      es: 'Los permisos indicados no bastan para llamar a {0}',
      de: 'Die angegebenen Berechtigungen reichen nicht aus, um {0} aufzurufen',
      fr: 'Les autorisations spécifiées ne sont pas suffisantes pour appeler {0}',
      ja: '指定された権限では {0} を呼び出せません',
    },
    'scopes-needed': {
      en: '. Required permissions: {0}',
      pt: '. Permissões necessárias: {0}',
      es: '. Permisos necesarios: {0}',
      de: '. Erforderliche Berechtigungen: {0}',
      fr: '. Autorisations requises : {0}',
      ja: '。必要な権限: {0}',
    },
    'authorisation-required': {
      en: 'Authorization is required: {0}',
      pt: 'É necessária autorização: {0}',
      es: 'Se necesita autorización: {0}',
      de: 'Autorisierung erforderlich: {0}',
      fr: 'Autorisation requise : {0}',
      ja: '承認が必要です: {0}',
    },
    'no-screen': {
      en: 'Cannot call {0} from this context.',
      pt: 'Não é possível chamar {0} neste contexto.',
      es: 'No se puede llamar a {0} desde este contexto.',
      de: '{0} kann in diesem Kontext nicht aufgerufen werden.',
      fr: "Impossible d'appeler {0} dans ce contexte.",
      ja: 'このコンテキストから {0} を呼び出すことはできません。',
    },

    // Amounts and rates.
    'day-spent': {
      en: 'Service invoked too many times for one day: {0}.',
      pt: 'Serviço chamado muitas vezes no mesmo dia: {0}.',
      es: 'Servicio solicitado demasiadas veces en un mismo día: {0}.',
      de: 'Dienst an einem Tag zu oft aufgerufen: {0}.',
      fr: "Trop d'appels pour ce service aujourd'hui : {0}.",
      ja: '1 日にサービスを呼び出した回数が多すぎます: {0}。',
    },
    'store-day-spent': {
      en: 'Service called too frequently in one day: {0}.',
      pt: 'Serviço chamado com muita frequência em um dia: {0}.',
      es: 'Servicio llamado con demasiada frecuencia en un día: {0}.',
      de: 'Dienst wurde an einem Tag zu häufig aufgerufen: {0}.',
      fr: 'Service appelé trop fréquemment en un jour : {0}.',
      ja: 'サービスが 1 日に頻繁に呼び出されすぎました: {0}。',
    },
    hurried: {
      en: 'Service invoked too many times in a short time: {0}. Try Utilities.sleep(1000) between calls.',
      pt: 'Serviço chamado muitas vezes em um curto período: {0}. Tente Utilities.sleep(1000) entre as chamadas.',
      es: 'Servicio solicitado demasiadas veces en poco tiempo: {0}. Prueba Utilities.sleep(1000) entre llamadas.',
      de: 'Dienst in kurzer Zeit zu oft aufgerufen: {0}. Versuchen Sie es mit Utilities.sleep(1000) zwischen den Aufrufen.',
      fr: "Trop d'appels pour ce service sur une courte période : {0}. Essayez Utilities.sleep(1000) entre les appels.",
      ja: '短時間にサービスを呼び出した回数が多すぎます: {0}。呼び出しの間に Utilities.sleep(1000) を試してください。',
    },
    'trigger-time-spent': {
      en: 'Service using too much computer time for one day',
      pt: 'O serviço usou muito tempo de computador em um dia',
      es: 'El servicio ha usado demasiado tiempo de proceso en un día',
      de: 'Der Dienst beansprucht zu viel Rechenzeit für einen Tag',
      fr: 'Le service utilise trop de temps machine pour une journée',
      ja: 'サービスが 1 日に使用したコンピュータ時間が長すぎます',
    },
    'too-many-starts': {
      en: 'Script invoked too many times per second for this Google user account.',
      pt: 'Script invocado muitas vezes por segundo para esta conta de usuário do Google.',
      es: 'La secuencia de comandos se ha invocado demasiadas veces por segundo para esta cuenta de usuario de Google.',
      de: 'Das Skript wurde für dieses Google-Nutzerkonto zu oft pro Sekunde aufgerufen.',
      fr: 'Script appelé trop de fois par seconde pour ce compte utilisateur Google.',
      ja: 'この Google ユーザー アカウントでスクリプトが 1 秒間に呼び出された回数が多すぎます。',
    },
    'too-many-executions': {
      en: 'There are too many scripts running simultaneously for this Google user account.',
      pt: 'Há muitos scripts em execução simultânea para esta conta de usuário do Google.',
      es: 'Hay demasiadas secuencias de comandos ejecutándose a la vez para esta cuenta de usuario de Google.',
      de: 'Für dieses Google-Nutzerkonto werden zu viele Skripts gleichzeitig ausgeführt.',
      fr: "Trop de scripts s'exécutent simultanément pour ce compte utilisateur Google.",
      ja: 'この Google ユーザー アカウントで同時に実行されているスクリプトが多すぎます。',
    },
    'time-over': {
      en: 'Exceeded maximum execution time',
      pt: 'Tempo máximo de execução excedido',
      es: 'Se ha superado el tiempo máximo de ejecución',
      de: 'Maximale Ausführungszeit überschritten',
      fr: "Durée maximale d'exécution dépassée",
      ja: '起動時間の最大値を超えました',
    },
    'limit-exceeded': {
      en: 'Limit Exceeded: {0}.',
      pt: 'Limite excedido: {0}.',
      es: 'Límite excedido: {0}.',
      de: 'Limit überschritten: {0}.',
      fr: 'Limite dépassée : {0}.',
      ja: '上限を超えました: {0}。',
    },
    'too-large': {
      en: 'Argument too large: {0}',
      pt: 'Argumento muito grande: {0}',
      es: 'Argumento demasiado grande: {0}',
      de: 'Argument zu groß: {0}',
      fr: 'Argument trop grand : {0}',
      ja: '引数が大きすぎます: {0}',
    },
    'store-full': {
      en: 'You have exceeded the property storage quota. Please remove some properties and try again.',
      pt: 'Você excedeu a cota de armazenamento de propriedades. Remova algumas e tente novamente.',
      es: 'Has superado la cuota de almacenamiento de propiedades. Elimina algunas y vuelve a intentarlo.',
      de: 'Sie haben das Speicherkontingent für Eigenschaften überschritten. Entfernen Sie einige und versuchen Sie es noch einmal.',
      fr: 'Vous avez dépassé le quota de stockage des propriétés. Supprimez-en et réessayez.',
      ja: 'プロパティの保存容量を超えました。いくつか削除してからもう一度お試しください。',
    },
    'lock-crowded': {
      en: 'There are too many LockService operations against the same script.',
      pt: 'Há muitas operações de LockService no mesmo script.',
      es: 'Hay demasiadas operaciones de LockService en la misma secuencia de comandos.',
      de: 'Es gibt zu viele LockService-Vorgänge für dasselbe Skript.',
      fr: "Trop d'opérations LockService sur le même script.",
      ja: '同じスクリプトに対する LockService の操作が多すぎます。',
    },
    'lock-timeout': {
      en: 'Lock timeout: another process was holding the lock for too long.',
      pt: 'Tempo limite do bloqueio: outro processo manteve o bloqueio por muito tempo.',
      es: 'Tiempo de espera del bloqueo: otro proceso lo ha retenido demasiado tiempo.',
      de: 'Zeitüberschreitung bei der Sperre: Ein anderer Prozess hat die Sperre zu lange gehalten.',
      fr: 'Délai de verrouillage dépassé : un autre processus a gardé le verrou trop longtemps.',
      ja: 'ロックのタイムアウト: 別のプロセスがロックを長時間保持していました。',
    },

    // Transient faults.
    'server-error': {
      en: "We're sorry, a server error occurred. Please wait a bit and try again.",
      pt: 'Infelizmente ocorreu um erro do servidor. Espere um momento e tente novamente.',
      es: 'Lo sentimos, se ha producido un error en el servidor. Espera un momento y vuelve a intentarlo.',
      de: 'Ein Serverfehler ist aufgetreten. Bitte versuchen Sie es später erneut.',
      fr: 'Une erreur est survenue sur le serveur. Veuillez réessayer ultérieurement.',
      ja: 'サーバーエラーが発生しました。しばらくしてからもう一度お試しください。',
    },
    'service-error': {
      en: 'Service error: {0}',
      pt: 'Erro de serviço: {0}',
      es: 'Error de servicio: {0}',
      de: 'Dienstfehler: {0}',
      fr: 'Erreur de service : {0}',
      ja: 'サービスエラー: {0}',
    },
    'storage-denied': {
      en: "We're sorry, a server error occurred while reading from storage. Error code PERMISSION_DENIED.",
      pt: 'Ocorreu um erro do servidor ao ler o armazenamento. Código do erro: PERMISSION_DENIED.',
      es: 'Se ha producido un error del servidor al leer el almacenamiento. Código de error: PERMISSION_DENIED.',
      de: 'Beim Lesen des Speichers ist ein Serverfehler aufgetreten. Fehlercode PERMISSION_DENIED.',
      fr: "Une erreur de serveur s'est produite lors de la lecture du stockage. Code d'erreur : PERMISSION_DENIED.",
      ja: 'ストレージの読み取り中にサーバーエラーが発生しました。エラーコード PERMISSION_DENIED。',
    },

    // Sheets and cells.
    protected: {
      en: 'You are trying to edit a protected cell or object. Please contact the spreadsheet owner to remove protection if you need to edit.',
      pt: 'Você está tentando editar uma célula ou um objeto protegido. Se precisar editar, fale com o proprietário da planilha.',
      es: 'Estás intentando editar una celda o un objeto protegidos. Ponte en contacto con el propietario de la hoja de cálculo.',
      de: 'Sie versuchen, eine geschützte Zelle oder ein geschütztes Objekt zu bearbeiten. Wenden Sie sich an den Eigentümer der Tabelle.',
      fr: 'Vous tentez de modifier une cellule ou un objet protégés. Contactez le propriétaire de la feuille de calcul.',
      ja: '保護されているセルやオブジェクトを編集しようとしています。スプレッドシートのオーナーに連絡してください。',
    },
    'sheet-gone': {
      en: 'Sheet {0} not found',
      pt: 'Página {0} não encontrada',
      es: 'No se ha encontrado la hoja {0}',
      de: 'Tabellenblatt {0} nicht gefunden',
      fr: 'Feuille {0} introuvable',
      ja: 'シート {0} が見つかりません',
    },
    'spreadsheet-gone': {
      en: "Document {0} is missing (perhaps it was deleted, or you don't have read access?)",
      pt: 'O documento {0} está ausente (talvez tenha sido excluído ou você não tenha acesso de leitura?)',
      es: 'Falta el documento {0} (¿quizá se ha eliminado o no tienes acceso de lectura?)',
      de: 'Das Dokument {0} fehlt (vielleicht wurde es gelöscht oder Sie haben keinen Lesezugriff?)',
      fr: "Le document {0} est introuvable (il a peut-être été supprimé, ou vous n'y avez pas accès)",
      ja: 'ドキュメント {0} が見つかりません(削除されたか、閲覧権限がない可能性があります)',
    },
    'spreadsheet-refused': {
      en: 'You do not have permission to access the requested document.',
      pt: 'Você não tem permissão para acessar o documento solicitado.',
      es: 'No tienes permiso para acceder al documento solicitado.',
      de: 'Sie haben keine Berechtigung für den Zugriff auf das angeforderte Dokument.',
      fr: "Vous n'êtes pas autorisé à accéder au document demandé.",
      ja: 'リクエストされたドキュメントにアクセスする権限がありません。',
    },
    'range-elsewhere': {
      en: 'Target range and source range must be on the same spreadsheet.',
      pt: 'O intervalo de destino e o de origem devem estar na mesma planilha.',
      es: 'El intervalo de destino y el de origen deben estar en la misma hoja de cálculo.',
      de: 'Ziel- und Quellbereich müssen in derselben Tabelle liegen.',
      fr: 'Les plages source et cible doivent se trouver dans la même feuille de calcul.',
      ja: '対象の範囲とソースの範囲は同じスプレッドシート上にある必要があります。',
    },
    'range-gone': {
      en: 'Range not found',
      pt: 'Intervalo não encontrado',
      es: 'No se ha encontrado el intervalo.',
      de: 'Bereich nicht gefunden',
      fr: 'Plage introuvable',
      ja: '範囲が見つかりません',
    },
    'range-outside': {
      en: 'The coordinates of the range are outside the dimensions of the sheet.',
      pt: 'As coordenadas do intervalo estão fora das dimensões da página.',
      es: 'Las coordenadas del intervalo están fuera de las dimensiones de la hoja.',
      de: 'Die Koordinaten des Bereichs liegen außerhalb der Abmessungen des Tabellenblatts.',
      fr: 'Les coordonnées de la plage sont en dehors des dimensions de la feuille.',
      ja: '範囲の座標がシートの範囲外です。',
    },
    'row-too-small': {
      en: 'The starting row of the range is too small.',
      pt: 'A linha inicial do intervalo é muito pequena.',
      es: 'La fila inicial del intervalo es demasiado pequeña.',
      de: 'Die Startzeile des Bereichs ist zu klein.',
      fr: 'La ligne de départ de la plage est trop petite.',
      ja: '範囲の開始行が小さすぎます。',
    },
    'column-too-small': {
      en: 'The starting column of the range is too small.',
      pt: 'A coluna inicial do intervalo é muito pequena.',
      es: 'La columna inicial del intervalo es demasiado pequeña.',
      de: 'Die Startspalte des Bereichs ist zu klein.',
      fr: 'La colonne de départ de la plage est trop petite.',
      ja: '範囲の開始列が小さすぎます。',
    },
    'too-few-rows': {
      en: 'The number of rows in the range must be at least 1.',
      pt: 'O número de linhas do intervalo deve ser pelo menos 1.',
      es: 'El intervalo debe tener al menos 1 fila.',
      de: 'Der Bereich muss mindestens 1 Zeile haben.',
      fr: 'La plage doit comporter au moins 1 ligne.',
      ja: '範囲の行数は 1 以上にする必要があります。',
    },
    'too-few-columns': {
      en: 'The number of columns in the range must be at least 1.',
      pt: 'O número de colunas do intervalo deve ser pelo menos 1.',
      es: 'El intervalo debe tener al menos 1 columna.',
      de: 'Der Bereich muss mindestens 1 Spalte haben.',
      fr: 'La plage doit comporter au moins 1 colonne.',
      ja: '範囲の列数は 1 以上にする必要があります。',
    },
    'cell-outside': {
      en: 'Cell reference out of range',
      pt: 'Referência de célula fora do intervalo',
      es: 'Referencia de celda fuera del intervalo',
      de: 'Zellbezug außerhalb des Bereichs',
      fr: 'Référence de cellule hors de la plage',
      ja: 'セル参照が範囲外です',
    },
    'wrong-parameters': {
      en: "The parameters ({0}) don't match the method signature for {1}.",
      pt: 'Os parâmetros ({0}) não correspondem à assinatura de método para {1}.',
      es: 'Los parámetros ({0}) no coinciden con la firma de método para {1}.',
      de: 'Die Parameter ({0}) stimmen nicht mit der Methodensignatur für {1} überein.',
      fr: 'Les paramètres ({0}) ne correspondent pas à la signature de méthode de {1}.',
      ja: 'パラメータ（{0}）が {1} のメソッドのシグネチャと一致しません。',
    },
    'misfit-rows': {
      en: 'The number of rows in the data does not match the number of rows in the range. The data has {0} but the range has {1}.',
      pt: 'O número de linhas nos dados não corresponde ao do intervalo. Os dados têm {0}, mas o intervalo tem {1}.',
      es: 'El número de filas de los datos no coincide con el del intervalo. Los datos tienen {0} y el intervalo tiene {1}.',
      de: 'Die Anzahl der Zeilen in den Daten stimmt nicht mit der im Bereich überein. Die Daten haben {0}, der Bereich hat {1}.',
      fr: 'Le nombre de lignes des données ne correspond pas à celui de la plage. Les données en ont {0}, la plage {1}.',
      ja: 'データの行数が範囲の行数と一致しません。データは {0} 行ですが、範囲は {1} 行です。',
    },
    'misfit-columns': {
      en: 'The number of columns in the data does not match the number of columns in the range. The data has {0} but the range has {1}.',
      pt: 'O número de colunas nos dados não corresponde ao do intervalo. Os dados têm {0}, mas o intervalo tem {1}.',
      es: 'El número de columnas de los datos no coincide con el del intervalo. Los datos tienen {0} y el intervalo tiene {1}.',
      de: 'Die Anzahl der Spalten in den Daten stimmt nicht mit der im Bereich überein. Die Daten haben {0}, der Bereich hat {1}.',
      fr: 'Le nombre de colonnes des données ne correspond pas à celui de la plage. Les données en ont {0}, la plage {1}.',
      ja: 'データの列数が範囲の列数と一致しません。データは {0} 列ですが、範囲は {1} 列です。',
    },
    'text-too-long': {
      en: 'Your input contains more than the maximum of {0} characters in a single cell.',
      pt: 'Sua entrada tem mais do que o máximo de {0} caracteres em uma única célula.',
      es: 'La entrada supera el máximo de {0} caracteres en una sola celda.',
      de: 'Ihre Eingabe enthält mehr als die maximal zulässigen {0} Zeichen in einer Zelle.',
      fr: 'Votre saisie dépasse le maximum de {0} caractères dans une seule cellule.',
      ja: '入力した内容が 1 つのセルの上限である {0} 文字を超えています。',
    },
    'spreadsheet-full': {
      en: 'This action would increase the number of cells in the workbook above the limit of {0} cells.',
      pt: 'Esta ação aumentaria o número de células da pasta de trabalho acima do limite de {0} células.',
      es: 'Esta acción aumentaría el número de celdas del libro por encima del límite de {0} celdas.',
      de: 'Durch diese Aktion würde die Anzahl der Zellen in der Arbeitsmappe das Limit von {0} überschreiten.',
      fr: 'Cette action ferait passer le nombre de cellules du classeur au-dessus de la limite de {0} cellules.',
      ja: 'この操作を行うと、ブック内のセル数が上限の {0} 個を超えます。',
    },
    'rule-violated': {
      en: 'The data you entered in cell {0} violates the data validation rules set on this cell.',
      pt: 'Os dados inseridos na célula {0} violam as regras de validação de dados definidas nesta célula.',
      es: 'Los datos introducidos en la celda {0} infringen las reglas de validación de datos de esa celda.',
      de: 'Die in Zelle {0} eingegebenen Daten verstoßen gegen die für diese Zelle festgelegten Datenvalidierungsregeln.',
      fr: 'Les données saisies dans la cellule {0} ne respectent pas les règles de validation définies pour cette cellule.',
      ja: 'セル {0} に入力したデータは、このセルに設定されたデータの入力規則に違反しています。',
    },
    'name-taken': {
      en: 'A sheet with the name "{0}" already exists. Please enter another name.',
      pt: 'Já existe uma página chamada "{0}". Insira outro nome.',
      es: 'Ya existe una hoja con el nombre "{0}". Introduce un nombre distinto.',
      de: 'Es ist bereits ein Tabellenblatt mit dem Namen "{0}" vorhanden. Geben Sie einen anderen Namen ein.',
      fr: 'Une feuille nommée « {0} » existe déjà. Veuillez saisir un autre nom.',
      ja: 'シート名「{0}」はすでに存在しています。別の名前を入力してください。',
    },
    'last-sheet': {
      en: "You can't remove all the sheets in a document.",
      pt: 'Não é possível remover todas as páginas de um documento.',
      es: 'No se pueden quitar todas las hojas de un documento.',
      de: 'Sie können nicht alle Tabellenblätter aus einem Dokument entfernen.',
      fr: "Vous ne pouvez pas supprimer toutes les feuilles d'un document.",
      ja: 'ドキュメント内のすべてのシートを削除することはできません。',
    },
    'rows-outside': {
      en: 'Those rows are out of bounds.',
      pt: 'Essas linhas estão fora dos limites.',
      es: 'Esas filas están fuera de los límites.',
      de: 'Diese Zeilen liegen außerhalb des gültigen Bereichs.',
      fr: 'Ces lignes sont hors limites.',
      ja: 'それらの行は範囲外です。',
    },
    'columns-outside': {
      en: 'Those columns are out of bounds.',
      pt: 'Essas colunas estão fora dos limites.',
      es: 'Esas columnas están fuera de los límites.',
      de: 'Diese Spalten liegen außerhalb des gültigen Bereichs.',
      fr: 'Ces colonnes sont hors limites.',
      ja: 'それらの列は範囲外です。',
    },
    'last-rows': {
      en: 'Sorry, it is not possible to delete all non-frozen rows.',
      pt: 'Não é possível excluir todas as linhas não congeladas.',
      es: 'No se pueden eliminar todas las filas no inmovilizadas.',
      de: 'Es können nicht alle nicht fixierten Zeilen gelöscht werden.',
      fr: 'Impossible de supprimer toutes les lignes non figées.',
      ja: '固定されていない行をすべて削除することはできません。',
    },
    'last-columns': {
      en: 'Sorry, it is not possible to delete all non-frozen columns.',
      pt: 'Não é possível excluir todas as colunas não congeladas.',
      es: 'No se pueden eliminar todas las columnas no inmovilizadas.',
      de: 'Es können nicht alle nicht fixierten Spalten gelöscht werden.',
      fr: 'Impossible de supprimer toutes les colonnes non figées.',
      ja: '固定されていない列をすべて削除することはできません。',
    },
    // Names, rules and metadata. The words for a rule on another sheet and for the place of
    // metadata are modelled on Google's words for the others.
    'bad-range-name': {
      en: 'The name "{0}" is not valid for a range.',
      pt: 'O nome "{0}" não é válido para um intervalo.',
      es: 'El nombre "{0}" no es válido para un intervalo.',
      de: 'Der Name "{0}" ist für einen Bereich ungültig.',
      fr: 'Le nom "{0}" n\'est pas valide pour une plage.',
      ja: '「{0}」は範囲の名前として無効です。',
    },
    'no-range-name': {
      en: 'The named range "{0}" does not exist.',
      pt: 'O intervalo nomeado "{0}" não existe.',
      es: 'El intervalo con nombre "{0}" no existe.',
      de: 'Der benannte Bereich "{0}" ist nicht vorhanden.',
      fr: 'La plage nommée "{0}" n\'existe pas.',
      ja: '名前付き範囲「{0}」は存在しません。',
    },
    'rule-incomplete': {
      en: 'A conditional format rule needs a condition and at least one range.',
      pt: 'Uma regra de formatação condicional precisa de uma condição e de pelo menos um intervalo.',
      es: 'Una regla de formato condicional necesita una condición y al menos un intervalo.',
      de: 'Eine Regel zur bedingten Formatierung braucht eine Bedingung und mindestens einen Bereich.',
      fr: 'Une règle de mise en forme conditionnelle nécessite une condition et au moins une plage.',
      ja: '条件付き書式ルールには条件と範囲が必要です。',
    },
    'rule-elsewhere': {
      en: 'Conditional format rule cannot reference a different sheet.',
      pt: 'A regra de formatação condicional não pode se referir a outra página.',
      es: 'La regla de formato condicional no puede hacer referencia a otra hoja.',
      de: 'Die Regel zur bedingten Formatierung darf nicht auf ein anderes Tabellenblatt verweisen.',
      fr: 'La règle de mise en forme conditionnelle ne peut pas faire référence à une autre feuille.',
      ja: '条件付き書式ルールで別のシートを参照することはできません。',
    },
    'metadata-place': {
      en: 'Adding developer metadata to arbitrary ranges is not currently supported. Developer metadata may only be added to the top-level spreadsheet, an individual sheet, or an entire row or column.',
      pt: 'Não é possível adicionar metadados do desenvolvedor a intervalos arbitrários.',
      es: 'No se pueden añadir metadatos de desarrollador a intervalos arbitrarios.',
      de: 'Entwicklermetadaten können nicht zu beliebigen Bereichen hinzugefügt werden.',
      fr: "Impossible d'ajouter des métadonnées de développeur à des plages quelconques.",
      ja: '任意の範囲にデベロッパー メタデータを追加することはできません。',
    },
    'metadata-full': {
      en: 'The developer metadata limit of this sheet or spreadsheet has been reached.',
      pt: 'O limite de metadados do desenvolvedor foi atingido.',
      es: 'Se ha alcanzado el límite de metadatos de desarrollador.',
      de: 'Das Limit für Entwicklermetadaten wurde erreicht.',
      fr: 'La limite de métadonnées de développeur est atteinte.',
      ja: 'デベロッパー メタデータの上限に達しました。',
    },
    'metadata-gone': {
      en: 'The developer metadata does not exist.',
      pt: 'Os metadados do desenvolvedor não existem.',
      es: 'Los metadatos de desarrollador no existen.',
      de: 'Die Entwicklermetadaten sind nicht vorhanden.',
      fr: "Les métadonnées de développeur n'existent pas.",
      ja: 'デベロッパー メタデータは存在しません。',
    },
    'has-filter': {
      en: "You can't create a filter in a sheet that already has a filter.",
      pt: 'Não é possível criar um filtro em uma página que já tem um.',
      es: 'No se puede crear un filtro en una hoja que ya tiene uno.',
      de: 'In einem Tabellenblatt mit Filter kann kein weiterer erstellt werden.',
      fr: 'Impossible de créer un filtre dans une feuille qui en a déjà un.',
      ja: 'すでにフィルタがあるシートにフィルタを作成することはできません。',
    },
    'sort-outside': {
      en: 'The sort column is outside the range.',
      pt: 'A coluna de classificação está fora do intervalo.',
      es: 'La columna de ordenación está fuera del intervalo.',
      de: 'Die Sortierspalte liegt außerhalb des Bereichs.',
      fr: 'La colonne de tri est en dehors de la plage.',
      ja: '並べ替えの列が範囲外です。',
    },
    /**
     * Quoted in many scripts on GitHub. Other languages are modelled on the English, as for most
     * messages here.
     */
    'merge-partial': {
      en: 'You must select all cells in a merged range to merge or unmerge them.',
      pt: 'É necessário selecionar todas as células de um intervalo mesclado para mesclá-las ou desfazer a mesclagem.',
      es: 'Para combinar o separar las celdas de un intervalo combinado, debes seleccionarlas todas.',
      de: 'Sie müssen alle Zellen in einem verbundenen Bereich auswählen, um sie zu verbinden oder die Verbindung aufzuheben.',
      fr: 'Vous devez sélectionner toutes les cellules d’une plage fusionnée pour les fusionner ou annuler leur fusion.',
      ja: '結合された範囲を結合または結合解除するには、すべてのセルを選択する必要があります。',
    },
    'merge-frozen-rows': {
      en: "You can't merge frozen and non-frozen rows.",
      pt: 'Não é possível mesclar linhas congeladas e não congeladas.',
      es: 'No puedes combinar filas inmovilizadas y no inmovilizadas.',
      de: 'Fixierte und nicht fixierte Zeilen können nicht verbunden werden.',
      fr: 'Impossible de fusionner des lignes figées et non figées.',
      ja: '固定された行と固定されていない行は結合できません。',
    },
    'merge-frozen-columns': {
      en: "You can't merge frozen and non-frozen columns.",
      pt: 'Não é possível mesclar colunas congeladas e não congeladas.',
      es: 'No puedes combinar columnas inmovilizadas y no inmovilizadas.',
      de: 'Fixierte und nicht fixierte Spalten können nicht verbunden werden.',
      fr: 'Impossible de fusionner des colonnes figées et non figées.',
      ja: '固定された列と固定されていない列は結合できません。',
    },
    'freeze-merged-rows': {
      en: "Sorry, you can't freeze rows which contain only part of a merged cell. Try to break apart merged cells or freeze more rows to include the complete merged cells.",
      pt: 'Não é possível congelar linhas que contêm apenas parte de uma célula mesclada.',
      es: 'No puedes inmovilizar filas que contienen solo una parte de una celda combinada.',
      de: 'Zeilen, die nur einen Teil einer verbundenen Zelle enthalten, können nicht fixiert werden.',
      fr: 'Impossible de figer des lignes qui ne contiennent qu’une partie d’une cellule fusionnée.',
      ja: '結合セルの一部のみを含む行は固定できません。',
    },
    'freeze-merged-columns': {
      en: "Sorry, you can't freeze columns which contain only part of a merged cell. Try to break apart merged cells or freeze more columns to include the complete merged cells.",
      pt: 'Não é possível congelar colunas que contêm apenas parte de uma célula mesclada.',
      es: 'No puedes inmovilizar columnas que contienen solo una parte de una celda combinada.',
      de: 'Spalten, die nur einen Teil einer verbundenen Zelle enthalten, können nicht fixiert werden.',
      fr: 'Impossible de figer des colonnes qui ne contiennent qu’une partie d’une cellule fusionnée.',
      ja: '結合セルの一部のみを含む列は固定できません。',
    },
    /** Users report that Sheets refuses this, but not its words, so these are not Google's. */
    'merged-unsorted': {
      en: 'A range with merged cells cannot be sorted.',
      pt: 'Um intervalo com células mescladas não pode ser classificado.',
      es: 'No se puede ordenar un intervalo con celdas combinadas.',
      de: 'Ein Bereich mit verbundenen Zellen kann nicht sortiert werden.',
      fr: 'Une plage contenant des cellules fusionnées ne peut pas être triée.',
      ja: '結合されたセルを含む範囲は並べ替えできません。',
    },

    // Requests to other sites.
    'dns-error': {
      en: 'DNS error: {0}',
      pt: 'Erro de DNS: {0}',
      es: 'Error de DNS: {0}',
      de: 'DNS-Fehler: {0}',
      fr: 'Erreur DNS : {0}',
      ja: 'DNS エラー: {0}',
    },
    'address-unavailable': {
      en: 'Address unavailable: {0}',
      pt: 'Endereço não disponível: {0}',
      es: 'Dirección no disponible: {0}',
      de: 'Adresse nicht verfügbar: {0}',
      fr: 'Adresse indisponible : {0}',
      ja: '使用できないアドレス: {0}',
    },
    timeout: {
      en: 'Timeout: {0}',
      pt: 'Tempo limite: {0}',
      es: 'Tiempo de espera agotado: {0}',
      de: 'Zeitüberschreitung: {0}',
      fr: "Délai d'attente dépassé : {0}",
      ja: 'タイムアウト: {0}',
    },
    'http-error': {
      en: 'Request failed for {0} returned code {1}. Truncated server response: {2} (use muteHttpExceptions option to examine full response)',
      pt: 'Falha na solicitação de {0}; código retornado: {1}. Resposta do servidor truncada: {2} (use a opção muteHttpExceptions para ver a resposta completa)',
      es: 'Error al realizar la solicitud a {0}; código {1}. Respuesta del servidor truncada: {2} (usa la opción muteHttpExceptions para ver la respuesta completa)',
      de: 'Anfrage für {0} fehlgeschlagen mit Code {1}. Gekürzte Serverantwort: {2} (mit der Option muteHttpExceptions erhalten Sie die vollständige Antwort)',
      fr: "Échec de la requête pour {0} avec le code {1}. Réponse du serveur tronquée : {2} (utilisez l'option muteHttpExceptions pour la réponse complète)",
      ja: '{0} のリクエストに失敗しました（エラー: {1}）。サーバー応答の一部: {2}（応答の全文を見るには muteHttpExceptions オプションを使用してください）',
    },
    'cannot-convert': {
      en: 'Cannot convert {0} to {1}.',
      pt: 'Não é possível converter {0} em {1}.',
      es: 'No se puede convertir {0} en {1}.',
      de: '{0} kann nicht in {1} konvertiert werden.',
      fr: 'Impossible de convertir {0} en {1}.',
      ja: '{0} を {1} に変換できません。',
    },
    'invalid-argument': {
      en: 'Invalid argument: {0}',
      pt: 'Argumento inválido: {0}',
      es: 'Argumento no válido: {0}',
      de: 'Ungültiges Argument: {0}',
      fr: 'Argument non valide : {0}',
      ja: '引数が無効です: {0}',
    },

    'invalid-attribute': {
      en: 'Attribute provided with invalid value: {0}',
      pt: 'Atributo fornecido com valor inválido: {0}',
      es: 'Se ha proporcionado un atributo con un valor no válido: {0}',
      de: 'Attribut mit ungültigem Wert angegeben: {0}',
      fr: 'Attribut fourni avec une valeur non valide : {0}',
      ja: '無効な値が指定された属性: {0}',
    },

    // The clock, mail and pages.
    'every-minutes': {
      en: 'The value you passed to everyMinutes was invalid. It must be one of 1, 5, 10, 15 or 30.',
      pt: 'O valor transmitido a everyMinutes é inválido. Precisa ser 1, 5, 10, 15 ou 30.',
      es: 'El valor que has pasado a everyMinutes no es válido. Debe ser 1, 5, 10, 15 o 30.',
      de: 'Der an everyMinutes übergebene Wert ist ungültig. Er muss 1, 5, 10, 15 oder 30 sein.',
      fr: "La valeur transmise à everyMinutes n'est pas valide. Elle doit être 1, 5, 10, 15 ou 30.",
      ja: 'everyMinutes に渡された値が無効です。1、5、10、15、30 のいずれかを指定してください。',
    },
    'trigger-too-often': {
      en: 'Clock events must be scheduled at least {0} hour(s) apart.',
      pt: 'Os eventos de relógio devem ter um intervalo de pelo menos {0} hora(s).',
      es: 'Los eventos de reloj deben programarse con al menos {0} hora(s) de diferencia.',
      de: 'Zwischen Zeitereignissen müssen mindestens {0} Stunde(n) liegen.',
      fr: "Les événements d'horloge doivent être espacés d'au moins {0} heure(s).",
      ja: '時刻イベントは少なくとも {0} 時間の間隔を空けて設定する必要があります。',
    },
    'trigger-there': {
      en: 'This add-on has created too many {0} triggers in this document for this Google user account.',
      pt: 'Este complemento criou muitos acionadores {0} neste documento para esta conta de usuário do Google.',
      es: 'Este complemento ha creado demasiados activadores {0} en este documento para esta cuenta de usuario de Google.',
      de: 'Dieses Add-on hat für dieses Google-Nutzerkonto zu viele {0}-Trigger in diesem Dokument erstellt.',
      fr: 'Ce module complémentaire a créé trop de déclencheurs {0} dans ce document pour ce compte utilisateur Google.',
      ja: 'このアドオンは、この Google ユーザー アカウントのこのドキュメントで {0} トリガーを作成しすぎています。',
    },
    'too-many-triggers': {
      en: 'This script has too many triggers. Triggers must be deleted from the script before more can be added.',
      pt: 'Este script tem muitos acionadores. Exclua alguns antes de adicionar outros.',
      es: 'Esta secuencia de comandos tiene demasiados activadores. Elimina alguno antes de añadir más.',
      de: 'Dieses Skript hat zu viele Trigger. Löschen Sie welche, bevor Sie weitere hinzufügen.',
      fr: "Ce script a trop de déclencheurs. Supprimez-en avant d'en ajouter.",
      ja: 'このスクリプトにはトリガーが多すぎます。追加する前に削除してください。',
    },
    'no-recipient': {
      en: 'Failed to send email: no recipient',
      pt: 'Falha ao enviar e-mail: nenhum destinatário',
      es: 'No se ha podido enviar el correo: no hay destinatario',
      de: 'E-Mail konnte nicht gesendet werden: kein Empfänger',
      fr: "Échec de l'envoi de l'e-mail : aucun destinataire",
      ja: 'メールを送信できませんでした: 宛先がありません',
    },
    'invalid-email': {
      en: 'Invalid email: {0}',
      pt: 'E-mail inválido: {0}',
      es: 'El correo electrónico no es válido: {0}',
      de: 'Ungültige E-Mail-Adresse: {0}',
      fr: 'E-mail incorrect : {0}',
      ja: '無効なメールアドレス: {0}',
    },
    'no-html-file': {
      en: 'No HTML file named {0} was found.',
      pt: 'Nenhum arquivo HTML chamado {0} foi encontrado.',
      es: 'No se ha encontrado ningún archivo HTML con el nombre {0}.',
      de: 'Es wurde keine HTML-Datei mit dem Namen {0} gefunden.',
      fr: 'Aucun fichier HTML nommé {0} trouvé.',
      ja: '{0} という名前の HTML ファイルが見つかりません。',
    },
    'no-function': {
      en: 'Script function not found: {0}',
      pt: 'Função de script não encontrada: {0}',
      es: 'No se ha encontrado la función de la secuencia de comandos: {0}',
      de: 'Skriptfunktion nicht gefunden: {0}',
      fr: 'Fonction de script introuvable : {0}',
      ja: 'スクリプト関数が見つかりません: {0}',
    },
  }) satisfies Readonly<Record<string, Texts>>;

export type MessageKind = keyof ReturnType<typeof table>;

/** What a service says: one message, or several that form one sentence. */
export type Message = readonly { readonly kind: MessageKind; readonly parts: readonly string[] }[];

export function say(kind: MessageKind, ...parts: readonly (string | number)[]): Message {
  return [{ kind, parts: parts.map(String) }];
}

/** The message in an account's language. Plain text stays as it is. */
export function inWords(said: Message | string, locale: Locale): string {
  if (typeof said === 'string') return said;
  const texts: Readonly<Record<MessageKind, Texts>> = table();
  return said
    .map(({ kind, parts }) =>
      texts[kind][locale].replace(/\{(\d)\}/g, (_, at) => parts[Number(at)] ?? ''),
    )
    .join('');
}

export function messageKinds(): readonly MessageKind[] {
  return Object.keys(table()) as MessageKind[];
}
