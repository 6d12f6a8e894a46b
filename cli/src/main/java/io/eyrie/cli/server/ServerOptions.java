// SPDX-License-Identifier: Apache-2.0
package io.eyrie.cli.server;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;

import static java.nio.charset.StandardCharsets.UTF_8;

/** The options that name a coordinator, its catalog, and a user. */
final class ServerOptions
{
    @Option(names = "--server", required = true, paramLabel = "URL", description = "The coordinator, such as https://presto:8443.")
    private String server = "";

    @Option(names = "--catalog", paramLabel = "NAME", defaultValue = "hive", description = "The catalog with connector.name=eyrie. Default: ${DEFAULT-VALUE}.")
    private String catalog = "";

    @Option(names = "--user", paramLabel = "NAME", defaultValue = "${sys:user.name}", description = "The user, who needs the right to read the schema cache. Default: ${DEFAULT-VALUE}.")
    private String user = "";

    @Option(names = "--password", arity = "0", interactive = true, description = "Asks for the user's password, which needs https.")
    private char @Nullable [] password;

    @Option(names = "--token-file", paramLabel = "FILE", description = "A file with an access token, which needs https.")
    private @Nullable Path tokenFile;

    /** Returns the coordinator. */
    PrestoServer connect(CommandSpec command)
            throws IOException
    {
        URI uri = uri(command);
        Optional<String> authorization = authorization();
        if (authorization.isPresent() && !uri.getScheme().equals("https")) {
            throw new ParameterException(command.commandLine(), "--server is " + server + ": a password or token is sent only over https");
        }
        return new PrestoServer(uri, user, authorization);
    }

    private URI uri(CommandSpec command)
    {
        try {
            URI uri = new URI(server);
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return uri;
            }
        }
        catch (URISyntaxException e) {
            // reported below
        }
        throw new ParameterException(command.commandLine(), "--server is '" + server + "': specify http://host:port or https://host:port");
    }

    private Optional<String> authorization()
            throws IOException
    {
        if (tokenFile != null) {
            return Optional.of("Bearer " + Files.readString(tokenFile).trim());
        }
        return Optional.ofNullable(password).map(secret -> "Basic " + Base64.getEncoder().encodeToString((user + ":" + new String(secret)).getBytes(
                UTF_8)));
    }

    /** Returns the name of a table of the schema {@code cache} of the catalog, quoted. */
    String table(String name)
    {
        return Sql.name(catalog) + ".cache." + name;
    }

    String catalog()
    {
        return catalog;
    }
}
