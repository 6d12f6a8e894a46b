// SPDX-License-Identifier: Apache-2.0
package io.eyrie.presto.control;

import com.facebook.presto.hive.HiveTransactionManager;
import com.facebook.presto.hive.TransactionalMetadata;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.connector.ConnectorAccessControl;
import com.facebook.presto.spi.security.AccessDeniedException;
import io.eyrie.presto.config.ControlConfig;
import io.eyrie.presto.proxy.Proxies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OperatorRightsTest
{
    private final Path directory;

    OperatorRightsTest(@TempDir Path directory)
    {
        this.directory = directory;
    }

    @Test
    void systemAccessControlIsNotBypassed()
            throws IOException
    {
        Files.writeString(system(), "access-control.name=ranger-presto\n");
        assertRefused("ann", new ControlConfig(), "necessary with a system access control");
        assertReachesTheConnector("ann", new ControlConfig().setOperators("ops, ann"));
        assertRefused("bob", new ControlConfig().setOperators("ops, ann"), "cache.operators does not name the user");

        Files.writeString(system(), "\\u00zz");
        assertRefused("ann", new ControlConfig(), "necessary with a system access control");
    }

    @Test
    void connectorDecidesIfNoOtherAccessControlRestrictsReaders()
            throws IOException
    {
        assertReachesTheConnector("ann", new ControlConfig());
        for (String unrestricted : new String[] {"allow-all", "read-only"}) {
            Files.writeString(system(), "access-control.name=" + unrestricted + "\n");
            assertReachesTheConnector("ann", new ControlConfig());
        }
    }

    @Test
    void operatorsAreTheOnlyOnesWhoMayCall()
    {
        assertReachesTheConnector("ann", new ControlConfig().setOperators("ann"));
        assertRefused("bob", new ControlConfig().setOperators("ann"), "User bob cannot call system.warm_cache");
        assertRefused("ANN", new ControlConfig().setOperators("ann"), "cannot call");
    }

    private Path system()
    {
        return directory.resolve("access-control.properties");
    }

    private void assertRefused(String user, ControlConfig config, String message)
    {
        assertThatThrownBy(() -> check(user, config)).isInstanceOf(AccessDeniedException.class).hasMessageContaining(message);
    }

    private void assertReachesTheConnector(String user, ControlConfig config)
    {
        assertThatThrownBy(() -> check(user, config)).hasMessage("the connector is asked");
    }

    private void check(String user, ControlConfig config)
    {
        ConnectorAccessControl connector = Proxies.of(ConnectorAccessControl.class, (proxy, method, arguments) -> {
            throw new UnsupportedOperationException();
        });
        TransactionalMetadata metadata = Proxies.of(TransactionalMetadata.class, (proxy, method, arguments) -> {
            throw new UnsupportedOperationException();
        });
        HiveTransactionManager transactions = new HiveTransactionManager();
        ConnectorSession session = Proxies.of(ConnectorSession.class, (proxy, method, arguments) -> {
            if (method.getName().equals("getUser")) {
                return user;
            }
            throw new IllegalStateException("the connector is asked");
        });
        new OperatorRights(config.operators(), system(), connector, transactions, () -> metadata).checkMayCall(session, "warm_cache");
    }
}
